;;; diderot-mode.el --- Major mode for Diderot programs -*- lexical-binding: t; -*-

;; Version: 1
;; Keywords: languages
;; Package-Requires: ((emacs "26.1"))
;; SPDX-License-Identifier: MIT

;;; Commentary:

;; Colours, indentation, mistakes while typing (M-x flymake-mode) or by M-x compile, and an input
;; method for operators and Greek letters: C-\ switches it on and off, \nabla becomes ∇.
;; M-x eglot starts the language server, M-x diderot-format-buffer formats without it.
;;
;;     (require 'diderot-mode)
;;
;; The lists of words come from the tables of the compiler; see editors/words.awk.

;;; Code:

(require 'compile)
(require 'quail)

(defgroup diderot nil
  "Programs in the language Diderot."
  :group 'languages)

(defcustom diderot-indent-offset 3
  "Columns of one step of indentation."
  :type 'integer
  :safe #'integerp)

(defcustom diderot-compiler "diderotc"
  "The compiler that reports mistakes."
  :type 'string)

;;;; Words

(defconst diderot-types
  '(
    ;; words: emacs-words type
    "bool" "field" "image" "int" "kernel" "mat2" "mat3" "mat4" "real" "string" "tensor"
    "vec2" "vec3" "vec4"
    ;; words end
    ))

(defconst diderot-keywords
  '(
    ;; words: emacs-words structure statement word
    "const" "continue" "create_array" "create_collection" "die" "else" "foreach"
    "function" "global" "if" "in" "initialize" "initially" "input" "new" "output" "print"
    "return" "stabilize" "start" "strand" "update"
    ;; words end
    ))

(defconst diderot-values
  '("π" "∞"
    ;; words: emacs-words value
    "false" "identity" "load" "load_image" "load_sequence" "nan" "true" "zeros" "inf"
    ;; words end
    ))

(defconst diderot-builtins
  '(
    ;; words: emacs-words builtin
    "normalize" "trace" "transpose" "det" "inv" "evals" "evecs" "modulate" "lerp" "clerp"
    "clamp" "mirror" "wrap" "border" "sqrt" "exp" "sin" "cos" "tan" "asin" "acos" "atan"
    "atan2" "ceil" "floor" "trunc" "round" "erf" "erfc" "fmod" "log" "log2" "log10" "pow"
    "max" "min" "size" "inside" "compose" "concat" "maxF" "minF" "abs" "dist" "length"
    "all" "exists" "mean" "product" "sum" "variance" "sphere" "numStrands" "numActive"
    "numStable"
    ;; words end
    ))

(defconst diderot-kernels
  '(
    ;; words: emacs-words kernel
    "tent" "c1tent" "c2tent" "ctmr" "c2ctmr" "bspln3" "bspln5" "c4hexic"
    ;; words end
    ))

(defconst diderot-operators
  '(
    ;; words: emacs-words operator
    "||" "&&" "!" "<" "<=" "==" "!=" ">=" ">" "+" "-" "*" "/" "%" "^" "@" ":" "⊛" "•"
    "⋅" "×" "⊗" "∘" "∇" "∇⊗" "∇×" "∇•" "∇⋅" "=" "+=" "-=" "*="
    "/=" "%=" ".." "|"
    ;; words end
    ))

(defconst diderot-font-lock-keywords
  `(("\\`#version\\_>.*" . font-lock-preprocessor-face)
    (,(regexp-opt diderot-types 'symbols) . font-lock-type-face)
    (,(regexp-opt diderot-keywords 'symbols) . font-lock-keyword-face)
    (,(regexp-opt diderot-values 'symbols) . font-lock-constant-face)
    (,(regexp-opt diderot-kernels 'symbols) . font-lock-constant-face)
    (,(regexp-opt diderot-builtins 'symbols) . font-lock-builtin-face)
    ("\\_<strand\\_>\\s-+\\(\\(?:\\sw\\|\\s_\\)+\\)" 1 font-lock-function-name-face)
    ("\\_<function\\_>.*?\\(\\(?:\\sw\\|\\s_\\)+\\)\\s-*(" 1 font-lock-function-name-face)
    (,(regexp-opt diderot-operators) . 'diderot-operator-face))
  "What is coloured besides comments and strings.")

(defface diderot-operator-face
  '((t :inherit font-lock-variable-name-face))
  "Operators.")

(defvar diderot-mode-syntax-table
  (let ((table (make-syntax-table)))
    (modify-syntax-entry ?/ ". 124b" table)
    (modify-syntax-entry ?* ". 23" table)
    (modify-syntax-entry ?\n "> b" table)
    (modify-syntax-entry ?\" "\"" table)
    (modify-syntax-entry ?\\ "\\" table)
    (modify-syntax-entry ?_ "_" table)
    (modify-syntax-entry ?' "_" table)
    (modify-syntax-entry ?∞ "_" table)
    (dolist (c (append "+-%=<>|&^@:!.#⊛•⋅×⊗∘∇" nil))
      (modify-syntax-entry c "." table))
    table)
  "Comments are those of C, names may have primes.")

;;;; Indentation

(defun diderot--code-before ()
  "The position behind the last code before point, comments left out."
  (save-excursion
    (forward-comment (- (point)))
    (point)))

(defun diderot--continues-p (open)
  "Non-nil when the line of point goes on with what stands before.
OPEN is the innermost bracket."
  (let ((end (diderot--code-before)))
    (and (> end (if open (1+ open) (point-min)))
         (not (memq (char-before end) '(?\; ?\{ ?\} ?,)))
         (not (looking-at "|\\s-"))       ; the generators of a comprehension
         (not (save-excursion (goto-char end)
                              (beginning-of-line)
                              (looking-at "#version"))))))

(defun diderot--after-condition-p ()
  "Non-nil when point is at the statement of an if or else without braces."
  (save-excursion
    (goto-char (diderot--code-before))
    (or (looking-back "\\_<else" (line-beginning-position))
        (and (eq (char-before) ?\))
             (ignore-errors (backward-sexp) t)
             (looking-back "\\_<\\(?:if\\|foreach\\)\\s-*" (line-beginning-position))))))

(defun diderot--block-p (open)
  "Non-nil when the bracket at OPEN begins a block, not a sequence."
  (and (eq (char-after open) ?\{)
       (save-excursion
         (goto-char open)
         (goto-char (diderot--code-before))
         (and (or (bobp) (memq (char-syntax (char-before)) '(?w ?_ ?\))) (eq (char-before) ?\;))
              (not (looking-back "\\_<in" (line-beginning-position)))))))

(defun diderot--block-column (open)
  "The column of the statement that has the bracket at OPEN."
  (save-excursion
    (goto-char open)
    (goto-char (diderot--code-before))
    (if (eq (char-before) ?\))
        (ignore-errors (backward-sexp))
      (goto-char open))
    (back-to-indentation)
    (current-column)))

(defun diderot--statement-indent (base open)
  "The column of a line in a block at column BASE, whose bracket is OPEN."
  (cond
   ((looking-at "{") base)
   ((diderot--after-condition-p) (+ base diderot-indent-offset))
   ;; What goes on further in stands where its writer wants it.
   ((diderot--continues-p open) (max (current-column) (+ base diderot-indent-offset)))
   (t base)))

(defun diderot-calculate-indent ()
  "The column in which the line of point should begin."
  (save-excursion
    (back-to-indentation)
    (let ((open (nth 1 (syntax-ppss)))
          (step diderot-indent-offset))
      (cond
       ((looking-at "#version") 0)
       ((not open) (diderot--statement-indent 0 nil))
       ((looking-at "[]})]") (diderot--block-column open))
       ((diderot--block-p open)
        (diderot--statement-indent (+ (diderot--block-column open) step) open))
       (t
        (goto-char (1+ open))
        (skip-chars-forward " \t")
        (if (eolp) (+ (diderot--block-column open) step) (current-column)))))))

(defun diderot-indent-line ()
  "Indent the line of point; inside comments and strings leave it alone."
  (interactive)
  (unless (nth 8 (syntax-ppss (line-beginning-position)))
    (let ((column (diderot-calculate-indent))
          (behind (> (current-column) (current-indentation))))
      (if behind
          (save-excursion (indent-line-to column))
        (indent-line-to column)))))

;;;; Mistakes

(defconst diderot-message-regexp
  (concat "^\\[\\([^]\n]+?\\):\\([0-9]+\\)\\.\\([0-9]+\\)-\\(?:\\([0-9]+\\)\\.\\)?\\([0-9]+\\)\\] "
          "\\(?:Error\\|\\(Warning\\)\\|\\(Remark\\)\\): \\(.*\\)$")
  "A message: file, lines and columns from 1, the last column included.")

(add-to-list 'compilation-error-regexp-alist 'diderotc)
(add-to-list 'compilation-error-regexp-alist-alist
             `(diderotc ,diderot-message-regexp 1 (2 . 4) (3 . 5) (6 . 7)))

(defun diderot--region (line column last-line last-column)
  "Positions of the text from LINE, COLUMN to LAST-LINE, LAST-COLUMN.
All count from 1, and the last character is included."
  (save-excursion
    (save-restriction
      (widen)
      (goto-char (point-min))
      (forward-line (1- line))
      (let ((start (min (+ (point) (1- column)) (line-end-position))))
        (forward-line (- last-line line))
        (cons start (max (1+ start) (min (+ (point) last-column) (1+ (line-end-position)))))))))

(declare-function flymake-make-diagnostic "flymake")
(defvar-local diderot--process nil "The compiler that looks at the buffer.")

(defun diderot--diagnostics (buffer output)
  "What the text in the buffer OUTPUT reports about BUFFER."
  (let (found)
    (with-current-buffer output
      (goto-char (point-min))
      (while (re-search-forward diderot-message-regexp nil t)
        (let* ((number (lambda (k) (string-to-number (match-string k))))
               (line (funcall number 2))
               (last-line (if (match-string 4) (funcall number 4) line))
               (columns (cons (funcall number 3) (funcall number 5)))
               (type (cond ((match-string 6) :warning) ((match-string 7) :note) (t :error)))
               (text (match-string 8))
               (region (with-current-buffer buffer
                         (diderot--region line (car columns) last-line (cdr columns)))))
          (push (flymake-make-diagnostic buffer (car region) (cdr region) type text) found))))
    (nreverse found)))

(defun diderot-flymake (report &rest _)
  "A backend of Flymake: check the buffer as it is.
REPORT is called with what is wrong."
  (when (process-live-p diderot--process) (kill-process diderot--process))
  (unless (executable-find diderot-compiler) (error "There is no %s" diderot-compiler))
  (let* ((buffer (current-buffer))
         (file (make-temp-file "flymake" nil ".diderot"))
         (coding-system-for-write 'utf-8))
    (save-restriction
      (widen)
      (write-region (point-min) (point-max) file nil 'silent))
    (setq diderot--process
          (make-process
           :name "diderot-flymake" :noquery t :connection-type 'pipe
           :buffer (generate-new-buffer " *diderot-flymake*")
           :coding 'utf-8
           :command (list diderot-compiler "--check" "--diagnostics=plain" file)
           :sentinel
           (lambda (process _)
             (when (memq (process-status process) '(exit signal))
               (unwind-protect
                   (when (and (buffer-live-p buffer)
                              (eq process (buffer-local-value 'diderot--process buffer)))
                     (funcall report (diderot--diagnostics buffer (process-buffer process))))
                 (kill-buffer (process-buffer process))
                 (delete-file file))))))))

;;;; The language server, and formatting

(defvar eglot-server-programs)

(defun diderot-server (&rest _)
  "The command of the language server, for Eglot."
  (list diderot-compiler "lsp"))

(with-eval-after-load 'eglot
  (add-to-list 'eglot-server-programs '(diderot-mode . diderot-server)))

(defun diderot-format-buffer ()
  "Give the program the style of the compiler, unless it has mistakes."
  (interactive)
  (let ((output (generate-new-buffer " *diderot-format*"))
        (coding-system-for-read 'utf-8)
        (coding-system-for-write 'utf-8))
    (unwind-protect
        (if (zerop (call-process-region nil nil diderot-compiler nil (list output nil) nil "format" "-"))
            (replace-buffer-contents output)
          (user-error "The program has mistakes"))
      (kill-buffer output))))

;;;; Input

(quail-define-package "diderot" "UTF-8" "∇" t
                      "Operators and Greek letters of Diderot by their names in TeX.

\\nabla becomes ∇, \\otimes becomes ⊗." nil t t)

(quail-define-rules
 ;; words: emacs-rules
 ("\\circledast" ?⊛)
 ("\\bullet" ?•)
 ("\\cdot" ?⋅)
 ("\\times" ?×)
 ("\\otimes" ?⊗)
 ("\\circ" ?∘)
 ("\\nabla" ?∇)
 ("\\infty" ?∞)
 ("\\pi" ?π)
 ("\\alpha" ?α)
 ("\\beta" ?β)
 ("\\gamma" ?γ)
 ("\\zeta" ?ζ)
 ("\\eta" ?η)
 ("\\theta" ?θ)
 ("\\lambda" ?λ)
 ("\\mu" ?μ)
 ("\\xi" ?ξ)
 ("\\rho" ?ρ)
 ("\\sigma" ?σ)
 ("\\tau" ?τ)
 ("\\phi" ?φ)
 ("\\psi" ?ψ)
 ("\\omega" ?ω)
 ;; words end
 )

(register-input-method "diderot" "UTF-8" #'quail-use-package "∇"
                       "Operators and Greek letters of Diderot by their names in TeX.")

;;;; The mode

;;;###autoload
(define-derived-mode diderot-mode prog-mode "Diderot"
  "Major mode for programs in Diderot."
  (setq-local comment-start "// ")
  (setq-local comment-end "")
  (setq-local comment-start-skip "\\(?://+\\|/\\*+\\)\\s-*")
  (setq-local font-lock-defaults '(diderot-font-lock-keywords))
  (setq-local indent-line-function #'diderot-indent-line)
  (setq-local indent-tabs-mode nil)
  (setq-local electric-indent-chars (append "{}])\n" electric-indent-chars))
  (setq-local default-input-method "diderot")
  (setq-local buffer-file-coding-system 'utf-8-unix)
  (when buffer-file-name
    (setq-local compile-command
                (concat diderot-compiler " --check --diagnostics=plain "
                        (shell-quote-argument (file-name-nondirectory buffer-file-name)))))
  (add-hook 'flymake-diagnostic-functions #'diderot-flymake nil t))

;;;###autoload
(add-to-list 'auto-mode-alist '("\\.\\(?:diderot\\|ddro\\)\\'" . diderot-mode))

(provide 'diderot-mode)

;;; diderot-mode.el ends here
