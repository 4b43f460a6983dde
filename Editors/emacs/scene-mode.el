;;; scene-mode.el --- Major mode for scene files  -*- lexical-binding: t; -*-
;; SPDX-License-Identifier: MIT

;;; Commentary:

;; Highlighting, indentation, `M-x compile' and `M-x eglot' for scene files of scenec.

;;; Code:

(require 'scene-words)

(defvar eglot-server-programs)
(defvar compilation-error-regexp-alist)
(defvar compilation-error-regexp-alist-alist)
(defvar compilation-error-screen-columns)

(defvar scene-mode-syntax-table
  (let ((table (make-syntax-table)))
    (modify-syntax-entry ?/ ". 124b" table)
    (modify-syntax-entry ?* ". 23n" table)
    (modify-syntax-entry ?\n "> b" table)
    (modify-syntax-entry ?- "_" table)
    (modify-syntax-entry ?_ "_" table)
    (modify-syntax-entry ?$ "\"" table)
    table)
  "Syntax table of `scene-mode'.")

(defconst scene-mode-syntax-propertize
  (syntax-propertize-rules ("\\(\\$\\)\\(\\$\\)" (1 "|") (2 ".")))
  "Marks the ends of formulas of several lines, which are between pairs of dollar signs.")

(defconst scene-mode-font-lock
  `((,(concat (regexp-opt scene-mode-properties 'symbols) "[ \t]*:") 1 font-lock-variable-name-face)
    (,(concat (regexp-opt scene-mode-functions 'symbols) "(") 1 font-lock-function-name-face)
    (,(regexp-opt scene-mode-keywords 'symbols) . font-lock-keyword-face)
    (,(concat "\\(?:^\\|[{;]\\)[ \t]*" (regexp-opt scene-mode-kinds 'symbols)) 1 font-lock-type-face)
    ("#[0-9A-Fa-f]\\{3,8\\}\\_>" . font-lock-constant-face)
    ("\\_<[0-9][0-9_.]*[A-Za-z%]*" . font-lock-constant-face))
  "Font lock keywords of `scene-mode'.")

(defconst scene-mode-continued
  "[-+][ \t]\\|->\\|[*?:<>=]\\|/[^/*]\\|\\.\\.\\|\\(?:and\\|or\\|over\\|after\\|with\\)\\_>"
  "Regexp for the start of a line that continues the value of the previous line.")

(defun scene-mode--continues-p ()
  "Return whether this line continues the value of the previous line: by its
first token, or because the previous line ends before its value."
  (or (looking-at scene-mode-continued)
      (save-excursion
        (forward-line 0)
        (skip-chars-backward " \t\n")
        (and (memq (char-before) '(?= ?:))
             (not (nth 4 (syntax-ppss)))))))

(defun scene-mode--indentation ()
  "Return the indentation of this line; nil inside a text."
  (save-excursion
    (back-to-indentation)
    (let* ((inner (if (looking-at "[])}]") 0 4))
           (more (if (scene-mode--continues-p) 4 0))
           (state (save-excursion (syntax-ppss (line-beginning-position))))
           (open (nth 1 (if (= inner 0) (syntax-ppss) state))))
      (cond ((nth 3 state) nil)
            ((not open) more)
            (t (goto-char open)
               ;; After a formula of several lines, the line of its start counts.
               (let ((start (nth 8 (save-excursion
                                     (syntax-ppss (line-beginning-position))))))
                 (when start (goto-char start)))
               (+ (current-indentation) inner more))))))

(defun scene-mode-indent-line ()
  "Indent by four for each line with unclosed brackets, like `scenec fmt'."
  (interactive)
  (let ((column (scene-mode--indentation)))
    (cond ((not column) 'noindent)
          ((<= (current-column) (current-indentation)) (indent-line-to column))
          (t (save-excursion (indent-line-to column))))))

;;;###autoload
(define-derived-mode scene-mode prog-mode "Scene"
  "Major mode for the scene files of scenec."
  (setq-local comment-start "// ")
  (setq-local comment-start-skip "//+[ \t]*")
  (setq-local indent-tabs-mode nil)
  (setq-local syntax-propertize-function scene-mode-syntax-propertize)
  (setq-local indent-line-function #'scene-mode-indent-line)
  (setq-local compilation-error-screen-columns nil)
  (when buffer-file-name
    (setq-local compile-command
                (concat "scenec check --color never "
                        (shell-quote-argument (file-name-nondirectory buffer-file-name)))))
  (setq-local font-lock-defaults '(scene-mode-font-lock)))

;;;###autoload
(add-to-list 'auto-mode-alist '("\\.scene\\'" . scene-mode))

;;;###autoload
(with-eval-after-load 'eglot
  (add-to-list 'eglot-server-programs '(scene-mode . ("scenec" "lsp"))))

(declare-function eglot-current-server "eglot")
(declare-function jsonrpc-request "jsonrpc")

;;;###autoload
(defun scene-preview ()
  "Show this scene in a browser, including unsaved changes if eglot is active."
  (interactive)
  (if (and (fboundp 'eglot-current-server) (eglot-current-server))
      (let* ((uri (concat "file://" (buffer-file-name)))
             (words (vector (list :uri uri)))
             (shown (jsonrpc-request (eglot-current-server) :workspace/executeCommand
                                     (list :command "scenec.openPreview" :arguments words))))
        (browse-url (plist-get shown :url)))
    (start-process "scenec" nil "scenec" "watch" "--no-video" "--open" (buffer-file-name))))

(with-eval-after-load 'compile
  (let ((place " +--> \\(.+\\):\\([0-9]+\\):\\([0-9]+\\)$"))
    (dolist (rule `((scenec ,(concat "^\\(?:error\\|\\(warning\\)\\)\\[[EW][0-9]+\\]: .*\n" place)
                            2 3 4 (1))
                    (scenec-note ,(concat "^ +=  ?note: .*\n" place) 1 2 3 0)))
      (add-to-list 'compilation-error-regexp-alist-alist rule)
      (add-to-list 'compilation-error-regexp-alist (car rule)))))

(provide 'scene-mode)
;;; scene-mode.el ends here
