// `npm run sbom`: writes what the product consists of, with each package's checksum, as CycloneDX.
// `npm run sbom -- release.cdx.json` names the file. It only reads the lock file, so it works offline.
import { spawnSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { helpIfAsked } from './help.ts'

helpIfAsked(
  'npm run sbom [-- file.cdx.json]: lists what the product consists of (CycloneDX), in dist/sbom.cdx.json without a name.',
)

const root = resolve(import.meta.dirname, '..')
const path = resolve(process.argv[2] ?? resolve(root, 'dist/sbom.cdx.json'))
// Tools stay in it, marked as development.
const args = ['sbom', '--sbom-format=cyclonedx', '--sbom-type=application', '--package-lock-only', '--workspaces=false']
const run = spawnSync('npm', args, { cwd: root, encoding: 'utf8', maxBuffer: 64 << 20, shell: process.platform === 'win32' })
if (run.status !== 0) {
  console.error(run.stderr || run.error?.message)
  process.exit(1)
}
const bill = JSON.parse(run.stdout) as { metadata: { component: { name: string } }; components: unknown[] }
// npm takes the folder's name.
bill.metadata.component.name = 'fieldwork'
mkdirSync(dirname(path), { recursive: true })
writeFileSync(path, `${JSON.stringify(bill, null, 2)}\n`)
console.log(`${bill.components.length} packages are listed in ${path}`)
