// SPDX-License-Identifier: MIT
import CLinux
import CProcess
import Glibc
import SceneTestSupport
import Testing

/// Tests the restrictions of sandboxed processes on kernels that support them.
@Suite("Fences", .cpuBudget(seconds: 1)) struct FenceTests {
  /// Returns the exit status of a sandboxed child process; `nil` if the kernel refuses the sandbox.
  private func status(opens: Bool, folders: [String]? = nil, _ body: () -> Bool) -> Int32? {
    var names: [UnsafePointer<CChar>?] = unsafe (folders ?? []).map {
      unsafe UnsafePointer(strdup($0))
    }
    let child = scene_fork()
    if child == 0 {
      if folders != nil { unsafe scene_confine_files(&names, names.count) }
      guard scene_confine_calls(opens ? 1 : 0) == 0 else { _exit(9) }
      _exit(body() ? 1 : 2)
    }
    unsafe names.forEach { unsafe free(UnsafeMutablePointer(mutating: $0)) }
    let end = scene_wait(child, .infinity)
    return end.status == 9 ? nil : end.status
  }

  private static func canOpen(_ path: StaticString, _ flags: Int32 = O_RDONLY) -> Bool {
    path.withUTF8Buffer { bytes in
      unsafe bytes.withMemoryRebound(to: CChar.self) {
        scene_open($0.baseAddress, flags, 0o600) >= 0
      }
    }
  }

  @Test func nothingIsOpened() {
    guard let status = status(opens: false, { Self.canOpen("/etc/passwd") }) else { return }
    #expect(status == 2)
  }

  @Test func nothingIsWritten() {
    for flags in [O_WRONLY, O_RDWR, O_RDONLY | O_CREAT, O_RDONLY | O_TRUNC] {
      let found = status(opens: true) { Self.canOpen("/dev/null", flags) }
      #expect(found == nil || found == 2)
    }
    let read = status(opens: true) { Self.canOpen("/dev/null") }
    #expect(read == nil || read == 1)
  }

  @Test func foldersOfFontsAlone() {
    // Landlock may be missing on kernels that support seccomp.
    var inside = status(opens: true, folders: ["/usr/share"]) { Self.canOpen("/usr/share/fonts") }
    #expect(inside == nil || inside == 1)
    inside = status(opens: true, folders: ["/usr/share"]) { Self.canOpen("/etc/passwd") }
    #expect(inside == nil || inside == 2 || scene_has_landlock() == 0)
  }

  @Test func whatIsRefusedIsKnown() {
    let refused = scene_refused_fences()
    #expect((refused & 1 != 0) == (status(opens: false) { true } == nil))
    #expect((refused & 2 != 0) == (scene_has_landlock() == 0))
    #expect(refused & ~3 == 0)
  }

  @Test func noNetworkNoPrograms() {
    let network = status(opens: true) { socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0) >= 0 }
    #expect(network == nil || network == 2)
    let process = status(opens: true) { scene_fork() >= 0 }
    #expect(process == nil || process == 2)
    let signal = status(opens: true) { kill(getppid(), 0) == 0 }
    #expect(signal == nil || signal == 2)
  }

  @Test func workAndMemoryAreLimited() {
    func end(_ seconds: Double = .infinity, limit: UInt32 = 1, _ body: () -> Void) -> scene_end {
      let child = scene_fork()
      if child == 0 {
        scene_limit(64 << 20, limit)
        body()
        _exit(0)
      }
      return scene_wait(child, seconds)
    }
    let busy = end { while true {} }
    // SIGXCPU at the soft limit, or SIGKILL at the hard limit if the kernel missed the tick of the
    // soft one.
    #expect([SIGXCPU, SIGKILL].contains(busy.signal) && busy.cpu < 4, "\(busy)")
    // The watching thread can be late on a busy machine. The child's own limit is far higher.
    let watched = end(0.3, limit: 600) { while true {} }
    #expect(watched.signal == SIGKILL && watched.cpu > 0.25 && watched.cpu < 500, "\(watched)")
    let large = end {
      let start = unsafe mmap(nil, 256 << 20, PROT_READ, MAP_PRIVATE | Int32(MAP_ANONYMOUS), -1, 0)
      if Int(bitPattern: start) == -1 { _exit(7) }
    }
    #expect(large.status == 7)
  }

  /// A helper process ends when its parent does.
  @Test func itEndsWithItsMaster() throws {
    var ends: [Int32] = [-1, -1]
    try #require(unsafe socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &ends) == 0)
    let child = scene_fork()
    if child == 0 {
      close(ends[0])
      scene_limit(64 << 20, 4)
      scene_end_with(ends[1])
      while true {}
    }
    close(ends[1])
    close(ends[0])
    let end = scene_wait(child, .infinity)
    #expect(end.status == 1)
  }
}
