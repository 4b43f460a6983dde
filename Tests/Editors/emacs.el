;;; emacs.el --- Emacs with eglot on two scenes  -*- lexical-binding: t; -*-
;; SPDX-License-Identifier: MIT

(add-to-list 'load-path (concat (getenv "SCENE_EDITORS") "/emacs"))
(package-initialize)
(setq-default make-backup-files nil create-lockfiles nil eglot-confirm-server-initiated-edits nil
              eglot-send-changes-idle-time 0.1
              compilation-ask-about-save nil compilation-save-buffers-predicate #'ignore)
(require 'scene-mode)
(require 'eglot)
(require 'compile)
(setq eglot-connect-timeout 90
      jrpc-default-request-timeout 90)

(defvar found nil)

(defun see (what seen)
  (push (format "%s: %s\n" what seen) found)
  (let ((lines (apply #'concat (reverse found))))
    (with-temp-file "found.txt" (insert lines))))

(defmacro wait (condition)
  `(with-timeout (90 (error "Waited 90 s for %S" ',condition))
     (while (not ,condition) (accept-process-output nil 0.05))))

;; The work that Emacs does when idle.
(defun tell () (eglot--signal-textDocument/didChange))

(defun errors () (flymake-diagnostics))

(defun code (text)
  (when (string-match "E[0-9]+" text) (match-string 0 text)))

(defun later-error ()
  (seq-some (lambda (it)
              (and (= (line-number-at-pos (flymake-diagnostic-beg it)) 5)
                   (code (flymake-diagnostic-text it))))
            (errors)))

(defun go (to)
  (goto-char (point-min))
  (search-forward to)
  (goto-char (match-beginning 0)))

(defun answer (method &rest more)
  (jsonrpc-request (eglot-current-server) method
                   (append (eglot--TextDocumentPositionParams) more)))

(defun steps ()
  (find-file "film.scene")
  (let ((inhibit-message t))
    (apply #'eglot--connect (eglot--guess-contact)))
  (wait (errors))
  (let ((error (car (errors))))
    (see 'error (concat (code (flymake-diagnostic-text error)) " "
                        (buffer-substring (flymake-diagnostic-beg error)
                                          (flymake-diagnostic-end error)))))
  (go "font-sise")
  (cl-letf (((symbol-function 'completing-read) (lambda (_prompt actions &rest _) (caar actions)))
            (last-nonmenu-event t))
    (call-interactively #'eglot-code-actions))
  (go "font-size: 40px")
  (tell)
  (wait (not (errors)))
  (see 'fixed (length (errors)))

  (go "brand-color; ")
  (forward-char 3)
  (let ((table (eglot-completion-at-point)))
    (see 'completion
         (if (member "brand-color" (all-completions "bra" (nth 2 table))) 'true 'none)))
  (let ((text (plist-get (plist-get (answer :textDocument/hover) :contents) :value)))
    (string-match "painted with" text)
    (see 'hover (match-string 0 text)))

  (find-file-noselect "brand.scene")
  (eglot-rename "accent")
  (with-current-buffer "brand.scene"
    (tell)
    (goto-char (point-min))
    (search-forward "let accent ="))
  (see 'renamed (how-many "accent" (point-min) (point-max)))

  (eglot-format-buffer)
  (go "rect box")
  (see 'formatted (buffer-substring (point) (line-end-position)))
  (tell)
  (wait (not (errors)))

  (see 'killed (call-process "python3" nil nil nil (getenv "SCENE_RUN") "kill-worker"))
  (go "for: 2s")
  (delete-region (point) (line-end-position))
  (insert "fur: 2s")
  (tell)
  (wait (later-error))
  (see 'error (later-error))

  (save-buffer)
  ;; In batch mode, Emacs 28 does not detect the end of another process while the server is running.
  (eglot-shutdown (eglot-current-server) nil 90)
  (with-current-buffer (compile "scenec check --color never film.scene")
    ;; Its last lines may arrive after its process has exited.
    (wait (save-excursion (goto-char (point-min)) (search-forward "Compilation exited" nil t)))
    ;; Its output is not parsed immediately, either.
    (wait (progn (goto-char (point-min)) (ignore-errors (compilation-next-error 1) t)))
    (see 'line (let ((place (compilation--message->loc
                             (get-text-property (point) 'compilation-message))))
                 (compilation--loc->line place)))))

(condition-case problem
    (steps)
  (error (see 'problem problem)))
(kill-emacs)
