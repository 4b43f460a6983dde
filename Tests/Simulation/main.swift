// SPDX-License-Identifier: MIT
import CLinux
import SceneSystem

// Simulates the concurrent parts of scenec, each run in an order that follows from its seed:
// scenec-simulate [film|preview|editor|live|all] [FIRST [COUNT]] [trace]
guard let campaign = Campaign((try? OwnProcess.arguments.get()) ?? [""]) else {
  print("scenec-simulate [film|preview|editor|live|all] [FIRST [COUNT]] [trace]")
  exit(2)
}
// Sets and dictionaries must have the same order in every run of a seed.
let hashing = "SWIFT_DETERMINISTIC_HASHING"
if OwnProcess.environment(hashing) == nil, let own = Files.resolved("/proc/self/exe") {
  unsafe setenv(hashing, "1", 1)
  OwnProcess.become(own, (try? OwnProcess.arguments.get()) ?? [])
}
exit(campaign.run())
