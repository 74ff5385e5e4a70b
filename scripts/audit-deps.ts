// `npm run audit:deps`: checks every package's license and known vulnerabilities, and prints a summary.
// Exits with 1 for a license that isn't allowed, or a high or critical vulnerability in what ships.
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { helpIfAsked } from './help.ts'

helpIfAsked(
  'npm run audit:deps: checks every package’s license and known vulnerabilities; exit code 1 for one that isn’t allowed.',
)

const root = resolve(import.meta.dirname, '..')
/** Licenses whose terms an unpublished product meets by shipping their texts. */
const ALLOWED = new Set([
  'MIT',
  'MIT-0',
  'ISC',
  'BSD-2-Clause',
  'BSD-3-Clause',
  '0BSD',
  'Apache-2.0',
  'CC0-1.0',
  'CC-BY-4.0',
  'BlueOak-1.0.0',
  'Unlicense',
  'WTFPL',
  'Zlib',
  'Python-2.0',
  'PostgreSQL',
  'OFL-1.1',
])
/** Tools that never ship: file-level copyleft binds only those who change and redistribute the files. */
const ALLOWED_TOOLS = new Set([...ALLOWED, 'MPL-2.0', 'LGPL-3.0-or-later', 'PSF-2.0'])

/** Libraries in separate files that anybody can replace, as the LGPL requires. */
const REPLACEABLE = /^@img\/sharp-/
const ALLOWED_REPLACEABLE = new Set([...ALLOWED, 'LGPL-3.0-or-later'])

/** Packages without a clear license in package.json, with the one their text states; for these versions only. */
const STATED: Readonly<Record<string, string>> = {
  'humanize-number 0.0.2': 'MIT',
  'only 0.0.2': 'MIT',
  'zipcodes 8.0.0': 'BSD-3-Clause',
}

interface Locked {
  version: string
  dev?: boolean
  devOptional?: boolean
  optional?: boolean
  license?: string
  link?: boolean
}

/** True if an SPDX expression offers an allowed license. */
function allows(expression: string, allowed: Set<string>): boolean {
  return expression
    .replace(/[()]/g, '')
    .split(/ OR /i)
    .some((way) => way.split(/ AND /i).every((one) => allowed.has(one.trim())))
}

/** The license in the lock file, or else in the package. */
function licenceOf(path: string, locked: Locked): string {
  if (locked.license) return locked.license
  try {
    const { license, licenses } = JSON.parse(readFileSync(join(root, path, 'package.json'), 'utf8')) as {
      license?: string | { type: string }
      licenses?: { type: string }[]
    }
    return (
      (typeof license === 'object' ? license.type : license) ?? licenses?.map((one) => one.type).join(' OR ') ?? 'none stated'
    )
  } catch {
    return 'none stated'
  }
}

const { packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')) as { packages: Record<string, Locked> }
const counts = new Map<string, { shipped: number; tools: number }>()
const refused: string[] = []
for (const [path, locked] of Object.entries(packages)) {
  // Only what is installed: the other paths are this repository's own packages.
  if (!path.includes('node_modules/') || locked.link) continue
  const tool = locked.dev === true || locked.devOptional === true
  const name = `${path.replace(/^.*node_modules\//, '')} ${locked.version}`
  const licence = STATED[name] ?? licenceOf(path, locked)
  const count = counts.get(licence) ?? { shipped: 0, tools: 0 }
  count[tool ? 'tools' : 'shipped']++
  counts.set(licence, count)
  const allowed = tool ? ALLOWED_TOOLS : REPLACEABLE.test(name) ? ALLOWED_REPLACEABLE : ALLOWED
  if (!allows(licence, allowed)) refused.push(`${name}: ${licence}${tool ? ' (a tool)' : ''}`)
}
console.log('License                          on the server   for building and testing')
for (const [licence, { shipped, tools }] of [...counts].sort((a, b) => b[1].shipped + b[1].tools - a[1].shipped - a[1].tools))
  console.log(`${licence.padEnd(32)} ${String(shipped).padStart(13)} ${String(tools).padStart(26)}`)
if (refused.length) console.log(`\nNot allowed:\n  ${refused.join('\n  ')}`)

const holes = knownHoles()
if (typeof holes === 'string') console.log(`\nKnown vulnerabilities: not checked. ${holes}`)
else {
  console.log(
    `\nKnown vulnerabilities: ${Object.entries(holes.counts)
      .map(([level, count]) => `${level} ${count}`)
      .join(', ')}`,
  )
  for (const line of holes.lines) console.log(`  ${line}`)
}
const bad = refused.length + (typeof holes === 'string' ? 0 : holes.grave)
console.log(
  bad
    ? `\n${bad} to review`
    : typeof holes === 'string'
      ? '\nNo license to review; vulnerabilities not checked'
      : '\nNothing to review',
)
process.exit(bad ? 1 : 0)

/** The result of `npm audit` for shipped packages (all levels) and tools, or a sentence that explains why it failed. */
function knownHoles(): string | { counts: Record<string, number>; lines: string[]; grave: number } {
  const { stdout, error } = spawnSync('npm', ['audit', '--json'], {
    cwd: root,
    encoding: 'utf8',
    timeout: 60_000,
    maxBuffer: 64 * 1024 * 1024,
  })
  if (error) return `npm audit could not be run: ${error.message}`
  try {
    const answer = JSON.parse(stdout) as {
      message?: string
      error?: { summary?: string }
      metadata?: { vulnerabilities: Record<string, number> }
      vulnerabilities?: Record<string, { name: string; severity: string; nodes: string[] }>
    }
    if (!answer.metadata)
      return `The registry doesn’t report vulnerabilities: ${answer.error?.summary || answer.message || 'no reason given'}`
    const found = Object.values(answer.vulnerabilities ?? {})
    const ships = (nodes: string[]) => nodes.some((node) => packages[node] && !packages[node].dev && !packages[node].devOptional)
    return {
      counts: answer.metadata.vulnerabilities,
      lines: found.map(({ name, severity, nodes }) => `${severity} in ${name}${ships(nodes) ? ', which ships' : ', a tool'}`),
      grave: found.filter(({ severity, nodes }) => /high|critical/.test(severity) && ships(nodes)).length,
    }
  } catch {
    return 'The registry’s response can’t be read.'
  }
}
