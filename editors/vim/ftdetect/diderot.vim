au BufNewFile,BufRead *.diderot,*.ddro setfiletype diderot
