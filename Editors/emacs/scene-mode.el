;;; scene-mode.el --- Major mode for scene files  -*- lexical-binding: t; -*-
;; SPDX-License-Identifier: MIT
;; Written by `scenec-dev editors'; do not edit by hand.

;;; Code:

(defconst scene-mode-kinds
  '("arc" "arrow" "audio" "camera" "captions" "change" "circle" "clip" "column" "each" "ellipse" "from" "grid" "group" "image" "line" "marker" "mask" "output" "path" "polygon" "polyline" "rect" "row" "scene" "sequence" "slot" "span" "star" "text" "to" "video"))
(defconst scene-mode-properties
  '("align" "along" "anchor" "at" "audio" "author" "background" "bitrate" "blend" "blur" "cap" "channels" "clip" "closed" "codec" "columns" "comment" "content" "corner-radius" "corner-smoothing" "dash" "dash-offset" "data" "direction" "easing" "enter" "exit" "fade-in" "fade-out" "features" "fill" "filter" "fit" "fit-width" "focus" "font" "font-size" "font-weight" "for" "fps" "frame-rate" "from" "gap" "head" "inner-radius" "invert" "italic" "join" "language" "layout" "letter-spacing" "level" "line-height" "look-at" "loop" "loudness" "luminance" "max-lines" "miter-limit" "mixing" "motion-blur" "opacity" "order" "padding" "paint-order" "pan" "peak" "pitch" "pivot" "pixel-format" "points" "position" "preset" "profile" "quality" "radius" "rotate" "route" "sample-rate" "samples" "scale" "seed" "shadow" "size" "skew" "source" "speed" "stagger" "start" "start-offset" "stroke" "stroke-width" "style" "sweep" "tabular" "tail" "tempo" "time" "time-step" "title" "to" "transition" "translate" "trim" "underline" "visible" "volume" "width" "z" "zoom"))
(defconst scene-mode-functions
  '("abs" "all" "alpha" "angle-at" "any" "at-time" "atan2" "beats" "blur" "brightness" "ceil" "chroma-key" "clamp" "conic-gradient" "contrast" "cos" "cubic-bezier" "darken" "data" "delay" "distance" "duck" "exp" "first" "floor" "format" "grayscale" "hsl" "hue-rotate" "invert" "join" "last" "len" "length-of" "level" "lighten" "linear" "linear-gradient" "log" "loop" "lut" "map-range" "max" "mean" "min" "mix" "mod" "noise" "oklch" "path" "pattern" "point-at" "pow" "radial-gradient" "random" "reverse" "reverse-list" "rgb" "round" "saturate" "sepia" "shadow" "sin" "sort" "spring" "sqrt" "steps" "stop" "sum" "tan" "wave" "wiggle" "zip"))
(defconst scene-mode-keywords
  '("and" "else" "false" "for" "if" "in" "keyframes" "let" "none" "not" "or" "true" "import" "param" "fn" "component" "style" "effect" "transition" "over" "after" "with" "as"))

(defvar scene-mode-syntax-table
  (let ((table (make-syntax-table)))
    (modify-syntax-entry ?/ ". 124b" table)
    (modify-syntax-entry ?* ". 23n" table)
    (modify-syntax-entry ?\n "> b" table)
    (modify-syntax-entry ?- "_" table)
    (modify-syntax-entry ?_ "_" table)
    table)
  "Syntax table of `scene-mode'.")

(defconst scene-mode-font-lock
  `((,(concat (regexp-opt scene-mode-properties 'symbols) "[ \t]*:") 1 font-lock-variable-name-face)
    (,(concat (regexp-opt scene-mode-functions 'symbols) "(") 1 font-lock-function-name-face)
    (,(regexp-opt scene-mode-keywords 'symbols) . font-lock-keyword-face)
    (,(concat "\\(?:^\\|[{;]\\)[ \t]*" (regexp-opt scene-mode-kinds 'symbols)) 1 font-lock-type-face)
    ("#[0-9A-Fa-f]\\{3,8\\}\\_>" . font-lock-constant-face)
    ("\\_<[0-9][0-9_.]*[A-Za-z%]*" . font-lock-constant-face))
  "What `scene-mode' colours.")

(defun scene-mode-indent-line ()
  "Indent by four for each open bracket."
  (interactive)
  (let ((depth (save-excursion
                 (beginning-of-line)
                 (skip-chars-forward " \t")
                 (- (car (syntax-ppss (line-beginning-position)))
                    (if (looking-at "[])}]") 1 0)))))
    (indent-line-to (max 0 (* 4 depth)))))

;;;###autoload
(define-derived-mode scene-mode prog-mode "Scene"
  "Major mode for the scene files of scenec."
  (setq-local comment-start "// ")
  (setq-local comment-start-skip "//+[ \t]*")
  (setq-local indent-line-function #'scene-mode-indent-line)
  (setq-local font-lock-defaults '(scene-mode-font-lock)))

;;;###autoload
(add-to-list 'auto-mode-alist '("\\.scene\\'" . scene-mode))

(provide 'scene-mode)
;;; scene-mode.el ends here
