// SPDX-License-Identifier: MIT
import Foundation
import SceneTestSupport
import Testing

/// The modes of Vim and Emacs, run on real scenes.
@Suite("Editors", .cpuBudget(seconds: 21)) struct EditorTests {
  private static let source = """
    // a note
    scene demo {
        for: 2s
        circle dot { fill: mix(red, #00ff00, 0.5);  radius: 0 -> 80 over 0.4s }
    }
    """

  @Test func vimColoursWords() throws {
    let folder = try Folder()
    try folder.write("a.scene", Self.source)
    try folder.write(
      "look.vim",
      """
      set runtimepath^=\(Repository.path)/Editors/vim
      filetype on
      syntax on
      edit a.scene
      let names = []
      for [word, line, column] in [["note", 1, 1], ["scene", 2, 1], ["circle", 4, 5], ["fill", 4, 18], ["mix", 4, 24], ["color", 4, 33], ["over", 4, 65]]
        call add(names, word . " " . synIDattr(synID(line, column, 1), "name"))
      endfor
      call writefile(names, "out.txt")
      qa!
      """)
    _ = try Program.run(["/usr/bin/vim", "-Nu", "NONE", "-es", "-S", "look.vim"], in: folder.path)
    let found = String(decoding: try #require(folder.data("out.txt")), as: UTF8.self)
    #expect(
      found == """
        note sceneComment
        scene sceneElement
        circle sceneElement
        fill sceneProperty
        mix sceneFunction
        color sceneColor
        over sceneDeclaration

        """)
  }

  @Test func emacsColoursAndIndents() throws {
    let folder = try Folder()
    try folder.write("a.scene", Self.source)
    try folder.write(
      "look.el",
      """
      (add-to-list 'load-path "\(Repository.path)/Editors/emacs")
      (require 'scene-mode)
      (find-file "a.scene")
      (font-lock-ensure)
      (dolist (word '("note" "circle" "fill" "mix" "#00ff00" "over"))
        (goto-char (point-min))
        (search-forward word)
        (princ (format "%s %s\\n" word (get-text-property (match-beginning 0) 'face))))
      (let ((before (buffer-string)))
        (indent-region (point-min) (point-max))
        (princ (format "same %s\\n" (equal before (buffer-string)))))
      """)
    let run = try Program.run(
      ["/usr/bin/emacs", "--batch", "-Q", "-l", "look.el"], in: folder.path)
    #expect(
      run.output == """
        note font-lock-comment-face
        circle font-lock-type-face
        fill font-lock-variable-name-face
        mix font-lock-function-name-face
        #00ff00 font-lock-constant-face
        over font-lock-keyword-face
        same t

        """, "\(run.errors)")
  }

  @Test func emacsIndentsAsFormatted() throws {
    let folder = try Folder()
    let files = Repository.files(in: "Examples", ending: ".scene").map {
      Repository.path + "/" + $0
    }
    try folder.write(
      "look.el",
      """
      (add-to-list 'load-path "\(Repository.path)/Editors/emacs")
      (require 'scene-mode)
      (dolist (file '(\(files.map { "\"\($0)\"" }.joined(separator: " "))))
        (find-file file)
        (font-lock-ensure)
        (let ((before (buffer-string)))
          (indent-region (point-min) (point-max))
          (unless (and (eq major-mode 'scene-mode) (string= before (buffer-string)))
            (princ (format "%s %s\\n" major-mode file)))))
      (princ "end")
      """)
    let run = try Program.run(
      ["/usr/bin/emacs", "--batch", "-Q", "-l", "look.el"], in: folder.path)
    // Only files that it changes are named.
    #expect(!files.isEmpty && run.output == "end", "\(run.output) \(run.errors)")
  }

  @Test func vimIndentsAsFormatted() throws {
    let folder = try Folder()
    try folder.write(
      "look.vim",
      """
      set runtimepath^=\(Repository.path)/Editors/vim
      filetype plugin indent on
      syntax on
      let seen = []
      for file in glob('\(Repository.path)/Examples/**/*.scene', 0, 1)
        execute 'edit' file
        let before = getline(1, '$')
        silent normal! gg=G
        call add(seen, before == getline(1, '$') ? 'same' : file)
        set nomodified
      endfor
      call writefile(seen, 'out.txt')
      qa!
      """)
    _ = try Program.run(["/usr/bin/vim", "-Nu", "NONE", "-es", "-S", "look.vim"], in: folder.path)
    let seen = String(decoding: try #require(folder.data("out.txt")), as: UTF8.self)
    let count = Repository.files(in: "Examples", ending: ".scene").count
    #expect(seen == String(repeating: "same\n", count: count))
  }

  /// What every editor sees with the real server: a fault at its place after an emoji, its fix, names
  /// to choose from, a page, a name changed in two files, the canonical form; and after the process
  /// that checks was killed, the next fault.
  @Test(arguments: ["neovim", "vim", "emacs", "vscode"])
  func editorsWorkWithTheServer(_ editor: String) throws {
    let run = try Program.run(
      ["/usr/bin/python3", "Tests/Editors/run.py", editor, Program.scenec])
    #expect(
      run.output == """
        fault: E0201 font-sise
        fixed: 0
        completion: true
        hover: painted with
        renamed: 2
        formatted: rect box { fill: accent;  size: 100x100 }
        killed: 0
        fault: E0201
        line: 5

        """, "\(run.errors)")
  }

  /// Columns of `:make` are bytes in Vim, characters in what scenec prints.
  @Test(arguments: ["/usr/bin/vim -Nu NONE -es", "/usr/bin/nvim --headless --clean"])
  func vimMakesPlaces(_ call: String) throws {
    let folder = try Folder()
    try folder.write("a.scene", "scene { for: 1s\n  text \"é🎬漢\" { opacty: 1 }\n}\n")
    try folder.write(
      "look.vim",
      """
      set runtimepath^=\(Repository.path)/Editors/vim
      let $PATH = fnamemodify('\(Program.scenec)', ':h') . ':' . $PATH
      filetype plugin on
      edit a.scene
      compiler scenec
      silent make!
      let it = getqflist()[0]
      call writefile([it.lnum . ' ' . strpart(getline(it.lnum), it.col - 1, 6)], 'out.txt')
      qa!
      """)
    _ = try Program.run(
      call.split(separator: " ").map(String.init) + ["-S", "look.vim"], in: folder.path)
    let seen = String(decoding: try #require(folder.data("out.txt")), as: UTF8.self)
    #expect(seen == "2 opacty\n")
  }

  @Test func bashCompletes() throws {
    let folder = try Folder()
    try folder.write("a.scene", "")
    try folder.write("b.txt", "")
    let tool = Repository.path + "/.build/release/scenec-dev"
    _ = try Program.run([tool, "shells", folder.path])
    let script = """
      source ./scenec.bash
      try() { COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _scenec; echo "${COMPREPLY[*]}"; }
      try scenec ch
      try scenec check --strict --fo
      try scenec check --format ''
      try scenec check ''
      try scenec help bu
      """
    let run = try Program.run(["/bin/bash", "-c", script], in: folder.path)
    #expect(
      run.output == """
        check
        --format
        text json svg
        a.scene
        build

        """, "\(run.errors)")
  }
}
