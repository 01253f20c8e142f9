;;; editor-test.el --- run.editors.emacs  -*- lexical-binding: t; -*-

;; emacs -Q --batch -l editor-test.el EDITORS TESTS DIDEROTC FOLDER
;; The mode compiles without warnings, colours what sample.classes says, indents, and shows mistakes.

;;; Code:

(require 'cl-lib)
(require 'flymake)

(pcase-let ((`(,editors ,tests ,diderotc ,folder) command-line-args-left))
  (setq command-line-args-left nil)
  (defconst test-tests tests)
  (defconst test-folder (file-name-as-directory folder))
  (defconst test-diderotc diderotc)
  (defconst test-source (expand-file-name "emacs/diderot-mode.el" editors)))

(defvar test-failures 0)
(defun test-check (held &rest what)
  "Count and tell WHAT unless it HELD."
  (unless held
    (cl-incf test-failures)
    (princ (apply #'format what))
    (princ "\n"))
  held)

(defun test-compiles ()
  "The mode has no warnings, and what is used afterwards is the compiled one."
  (let ((copy (expand-file-name "diderot-mode.el" test-folder))
        (byte-compile-error-on-warn t))
    (copy-file test-source copy t)
    (test-check (byte-compile-file copy) "the mode does not compile without warnings")
    (load (concat copy "c") nil t)))

(defconst test-faces
  '(("version" . font-lock-preprocessor-face) ("comment" . font-lock-comment-face)
    ("string" . font-lock-string-face) ("escape" . font-lock-string-face)
    ("structure" . font-lock-keyword-face)
    ("word" . font-lock-keyword-face) ("statement" . font-lock-keyword-face)
    ("type" . font-lock-type-face) ("value" . font-lock-constant-face)
    ("kernel" . font-lock-constant-face) ("builtin" . font-lock-builtin-face)
    ("operator" . diderot-operator-face) ("number") ("name")))

(defun test-place (line text)
  "Go to the whole word TEXT in LINE; nil when there is none."
  (goto-char (point-min))
  (forward-line (1- line))
  (let ((regexp (regexp-quote text)))
    (when (string-match-p "\\`[[:alnum:]]" text)
      (setq regexp (concat "\\_<" regexp (if (string-match-p "[[:alnum:]']\\'" text) "\\_>" ""))))
    (when (re-search-forward regexp (line-end-position) t)
      (goto-char (match-beginning 0)))))

(defun test-classes ()
  "Words have the faces of their classes at both ends."
  (find-file (expand-file-name "sample.diderot" test-tests))
  (test-check (eq major-mode 'diderot-mode) "no mode for .diderot")
  (font-lock-ensure)
  (let ((rows (with-temp-buffer
                (insert-file-contents (expand-file-name "sample.classes" test-tests))
                (split-string (buffer-string) "\n" t))))
    (test-check (> (length rows) 50) "too few rows")
    (dolist (row rows)
      (string-match "\\`\\([0-9]+\\) \\(.*\\) \\([a-z]+\\)\\'" row)
      (let* ((text (match-string 2 row))
             (class (assoc (match-string 3 row) test-faces))
             (place (test-place (string-to-number (match-string 1 row)) text)))
        (when (and (test-check place "%s: it is not there" row)
                   (test-check class "%s: no such class" row))
          (dolist (at (list place (+ place (length text) -1)))
            (let ((face (get-text-property at 'face)))
              (when (memq face '(font-lock-function-name-face font-lock-comment-delimiter-face))
                (setq face (if (equal (car class) "name") nil 'font-lock-comment-face)))
              (test-check (eq face (cdr class)) "%s: %s" row face))))))))

(defun test-indentation ()
  "Indentation is kept; lost, it comes back but for continuations that had more of it."
  (let ((wanted (buffer-string))
        (inhibit-message t))
    (indent-region (point-min) (point-max))
    (test-check (string= (buffer-string) wanted) "indentation changes")
    (goto-char (point-min))
    (forward-line 3)
    (while (re-search-forward "^ +" nil t) (replace-match ""))
    (indent-region (point-min) (point-max))
    (cl-loop for found in (split-string (buffer-string) "\n")
             for want in (split-string wanted "\n")
             for line from 1
             do (test-check (string= found want) "%d: indented as \"%s\"" line found))
    (set-buffer-modified-p nil)
    (kill-buffer)))

(defun test-typing ()
  "The input method has the characters, Return and braces indent."
  (with-temp-buffer
    (diderot-mode)
    (activate-input-method "diderot")
    (test-check (equal current-input-method "diderot") "no input method")
    (let ((found (mapcar (lambda (key) (car (quail-lookup-key key)))
                         '("\\nabla" "\\circledast" "\\otimes" "\\omega"))))
      (test-check (equal (mapcar (lambda (c) (if (stringp c) (aref c 0) c)) found)
                         '(?∇ ?⊛ ?⊗ ?ω)) "input method: %S" found))
    (deactivate-input-method)
    (insert "update {\nif (x) {\nx = 1;")
    (indent-region (point-min) (point-max))
    (test-check (string= (buffer-string) "update {\n   if (x) {\n      x = 1;")
                "indented: %S" (buffer-string))
    (comment-region (point-min) (line-end-position 0))
    (goto-char (point-min))
    (test-check (looking-at "// update {\n") "commented: %S" (buffer-string))))

(defun test-program ()
  "A program with a mistake behind characters of several bytes."
  (let ((file (expand-file-name "a program.diderot" test-folder)))
    (with-temp-file file
      (insert "#version 2.0\n/* ∇∇ */ input real n = yy;\nstrand s (int i) {\n"
              "   output real z = 1.0; update { stabilize; } }\n"
              "create_array { s(i) | i in 0..9 }\n"))
    file))

(defun test-compile ()
  "M-x compile runs the check, and its messages are places."
  (find-file (test-program))
  (test-check (string-suffix-p "--check --diagnostics=plain a\\ program.diderot" compile-command)
              "command: %s" compile-command)
  (let* ((compilation-ask-about-save nil)
         (compilation-always-kill t)
         (output (compile compile-command)))
    (while (get-buffer-process output) (accept-process-output nil 0.1))
    (with-current-buffer output
      (goto-char (point-min))
      (compilation--ensure-parse (point-max))
      (re-search-forward "Error: undeclared variable 'yy'")
      (let* ((message (get-text-property (line-beginning-position) 'compilation-message))
             (place (and message (compilation--message->loc message))))
        (test-check (and place
                         (= (compilation--loc->line place) 2)
                         (= (compilation--message->type message) 2))
                    "place: %S" message)))))

(defun test-flymake ()
  "The mistakes of the buffer, which is not saved, are marked where they are."
  (set-buffer (get-buffer "a program.diderot"))
  (goto-char (point-min))
  (forward-line 1)
  (insert "\n")
  (let (found)
    (diderot-flymake (lambda (diagnostics &rest _) (setq found (or diagnostics t))))
    (let ((end (+ (float-time) 20)))
      (while (and (not found) (< (float-time) end)) (accept-process-output nil 0.1)))
    (test-check (consp found) "flymake reports nothing: %S" found)
    (when (consp found)
      (let ((mistake (cl-find :error found :key #'flymake-diagnostic-type)))
        (test-check (and mistake (string= (buffer-substring (flymake-diagnostic-beg mistake)
                                                            (flymake-diagnostic-end mistake))
                                          "yy"))
                    "marked: %S" mistake)
        (test-check (cl-find :warning found :key #'flymake-diagnostic-type) "no warning: %S" found))))
  (set-buffer-modified-p nil))

(defun test-format ()
  "The program is formatted; one with mistakes stays."
  (with-temp-buffer
    (let ((program "#version 2.0\nreal x=1.0; // λ\nstrand s(int i){output real y=x;update{stabilize;}}\ncreate_array{s(i)|i in 0..3}\n"))
      (insert program)
      (diderot-format-buffer)
      (test-check (string-match-p "^real x = 1.0; +// λ\nstrand s (int i) {\n   output real y = x;\n" (buffer-string))
                  "formatted: %S" (buffer-string))
      (erase-buffer)
      (insert "real x = ;")
      (test-check (condition-case nil (progn (diderot-format-buffer) nil) (user-error t))
                  "a program with mistakes is formatted")
      (test-check (string= (buffer-string) "real x = ;") "changed: %S" (buffer-string)))))

(defun test-eglot ()
  "Eglot, where it is there, shows mistakes, knows where a name is declared, and renames."
  (require 'package)
  (add-to-list 'package-directory-list "/usr/share/emacs/site-lisp/elpa")
  (package-initialize)
  (when (require 'eglot nil t)
    (kill-buffer "a program.diderot")
    (find-file (test-program))
    (let ((inhibit-message t)
          (eglot-sync-connect 20)
          (eglot-confirm-server-initiated-edits nil))
      (call-interactively #'eglot)
      (let ((end (+ (float-time) 20)))
        (while (and (< (float-time) end)
                    (not (cl-find :error (flymake-diagnostics) :key #'flymake-diagnostic-type))
                    (not (cl-find 'eglot-error (flymake-diagnostics) :key #'flymake-diagnostic-type)))
          (accept-process-output nil 0.1)
          (flymake-start)))
      (let ((mistake (car (cl-remove-if-not
                           (lambda (d) (string-match-p "undeclared" (flymake-diagnostic-text d)))
                           (flymake-diagnostics)))))
        (test-check (and mistake (string= (buffer-substring (flymake-diagnostic-beg mistake)
                                                            (flymake-diagnostic-end mistake))
                                          "yy"))
                    "Eglot marks %S" (flymake-diagnostics)))
      (goto-char (point-min))
      (search-forward "i in")
      (goto-char (match-beginning 0))
      (eglot-rename "index")
      (test-check (string-match-p "| index in 0..9" (buffer-string)) "Eglot renames: %S" (buffer-string))
      (set-buffer-modified-p nil)
      (eglot-shutdown (eglot-current-server)))))

(make-directory test-folder t)
(test-compiles)
(setq diderot-compiler test-diderotc)
(test-classes)
(test-indentation)
(test-typing)
(test-compile)
(test-flymake)
(test-format)
(test-eglot)
(princ (format "%d failures\n" test-failures))
(kill-emacs (if (> test-failures 0) 1 0))
;;; editor-test.el ends here
