// SPDX-License-Identifier: MIT
import CLinux
import SceneSystem

// Simulates the concurrent parts of scenec, each run in an order that follows from its seed:
// scenec-simulate [film|preview|editor|all] [FIRST [COUNT]] [trace]
guard let campaign = Campaign((try? OwnProcess.arguments.get()) ?? [""]) else {
  print("scenec-simulate [film|preview|editor|all] [FIRST [COUNT]] [trace]")
  exit(2)
}
// The order in sets and dictionaries is a part of what a seed decides.
let hashing = "SWIFT_DETERMINISTIC_HASHING"
if OwnProcess.environment(hashing) == nil, let own = Files.resolved("/proc/self/exe") {
  unsafe setenv(hashing, "1", 1)
  OwnProcess.become(own, (try? OwnProcess.arguments.get()) ?? [])
}
exit(campaign.run())
