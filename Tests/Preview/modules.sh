#!/bin/sh
# SPDX-License-Identifier: MIT
# Tests the modules of the preview's page that need no browser, with Node.js.
set -eu
cd "$(dirname "$0")/../.."
exec node --test Tests/Preview/modules.test.mjs
