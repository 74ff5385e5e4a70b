import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Part } from './parts.ts'
import type { Outcome } from './run.ts'

/** What passed, by part, on which files. */
type Memory = Record<string, { files: string; outcome: Outcome }>

const placeOf = (root: string) => join(root, 'test-results/passed.json')

/** The outcomes of the parts of `npm run test:all` that passed on exactly these files. */
export function passedBefore(root: string, files: string, parts: readonly Part[]): [name: string, outcome: Outcome][] {
  const memory = read(root)
  return parts.flatMap((part): [string, Outcome][] => {
    const entry = memory[part.name]
    return entry?.files === files ? [[part.name, { ...entry.outcome, part }]] : []
  })
}

/** Keeps an outcome for `--resume`, if the part passed. */
export function remember(root: string, files: string, outcome: Outcome): void {
  const { [outcome.part.name]: _, ...others } = read(root)
  const passed = outcome.failed === 0 && { [outcome.part.name]: { files, outcome } }
  mkdirSync(join(root, 'test-results'), { recursive: true })
  writeFileSync(placeOf(root), JSON.stringify({ ...others, ...passed }))
}

function read(root: string): Memory {
  try {
    return JSON.parse(readFileSync(placeOf(root), 'utf8'))
  } catch {
    return {}
  }
}

/** Results of runs that are kept in the repository, which change no test. */
const RESULTS = ['tests/runs.json', 'tests/torture/faults/results.json']

/** Git's name for all files as they are now, committed or not, without the results that it keeps. */
export function filesOf(root: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'fieldwork-index-'))
  const git = (...words: string[]) =>
    execFileSync('git', words, { cwd: root, env: { ...process.env, GIT_INDEX_FILE: join(folder, 'index') }, encoding: 'utf8' })
  try {
    git('read-tree', 'HEAD')
    git('add', '--all')
    git('rm', '--cached', '--quiet', '--ignore-unmatch', ...RESULTS)
    return git('write-tree').trim()
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
