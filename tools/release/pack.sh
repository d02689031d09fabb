#!/usr/bin/env bash
# pack.sh FOLDER: packs both packages, which are built, and lists what they need: sbom.cdx.json has each package with its
# licence and the text of it.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
mkdir -p "$1"
npm pack --workspaces --ignore-scripts --pack-destination "$1"
npx --yes @cyclonedx/cyclonedx-npm@6.0.1 --omit dev --gather-license-texts --output-reproducible --validate \
  --output-format JSON --output-file "$1/sbom.cdx.json"
