// SPDX-License-Identifier: MIT
import SceneCairo
import SceneFiles

extension FontLibrary: FontStore {}
