import { execFileSync, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { How, Outcome } from '../../../scripts/torture/parts.ts'
import { EVERY } from './every.ts'
import type { Fault } from './faults.ts'

const RESULTS = join(import.meta.dirname, 'results.json')

/** A fault's last result: which part and test caught it, or that it slipped through all, or doesn't compile. */
export type Result = {
  end: 'caught' | 'slipped' | 'void'
  part: string
  test: string
  seconds: number
  commit: string
  /** Of the files that are tested and of the fault itself; the result holds for these. */
  tree: string
  fault: string
}
type Results = { clean: string; faults: Record<string, Result> }

export function readResults(): Results {
  return existsSync(RESULTS) ? JSON.parse(readFileSync(RESULTS, 'utf8')) : { clean: '', faults: {} }
}

/** Adds to the results, which another run may have changed meanwhile. */
export function keep({ clean, faults }: Partial<Results>): void {
  const earlier = readResults()
  const all = { ...earlier.faults, ...faults }
  const sorted = Object.fromEntries(EVERY.flatMap(({ id }) => (all[id] ? [[id, all[id]]] : [])))
  writeFileSync(RESULTS, `${JSON.stringify({ clean: clean ?? earlier.clean, faults: sorted }, null, 2)}\n`)
}

function git(...args: string[]): string {
  return execFileSync('git', args, { cwd: import.meta.dirname, encoding: 'utf8' }).trim()
}

/** The commit that is tried, and a hash of what its tests run on: all files but pages, benches and the faults. */
export const here = {
  commit: git('rev-parse', '--short=12', 'HEAD'),
  tree: hashOf(
    git('ls-tree', '-r', '--full-tree', 'HEAD')
      .split('\n')
      .filter((row) => !/\t(docs\/|tests\/bench\/|tests\/torture\/faults\/|tests\/runs\.json)|\.md$/.test(row)),
  ),
}

/** True if a commit is `since` or one after it. */
export function isSince(since: string, commit: string): boolean {
  const from = git('rev-parse', '--verify', since)
  return spawnSync('git', ['merge-base', '--is-ancestor', from, commit], { cwd: import.meta.dirname }).status === 0
}

/** Names what a fault does, so that a result holds for no other. */
export function changeOf({ file, from, to }: Fault): string {
  return hashOf([file, from, to])
}

function hashOf(value: unknown): string {
  return createHash('sha256').update(JSON.stringify(value)).digest('hex').slice(0, 12)
}

/** Prints the table of all results, and counts them; what slipped through or is void is a broken promise. */
export function tally(how: How, faults: readonly Fault[]): Outcome {
  const { faults: results } = readResults()
  const rows = faults.map((fault) => {
    const result = results[fault.id]
    return { fault, result: result?.fault === changeOf(fault) ? result : undefined }
  })
  const cell = (text: string) => text.replaceAll('|', '\\|')
  how.say('')
  for (const line of ['| fault | what | file | caught by | test |', '| --- | --- | --- | --- | --- |']) how.say(line)
  for (const { fault, result } of rows) {
    const by = result ? (result.end === 'caught' ? result.part : result.end) : 'not run'
    how.say(`| ${fault.id} | ${cell(fault.about)} | ${fault.file} | ${by} | ${cell(result?.test ?? '')} |`)
  }
  const figures: Record<string, number> = { faults: rows.length }
  for (const { result } of rows) {
    const what = result ? (result.end === 'caught' ? `caught by ${result.part}` : result.end) : 'not run'
    figures[what] = (figures[what] ?? 0) + 1
  }
  const broken = rows.filter(({ result }) => result && result.end !== 'caught')
  return {
    figures,
    faults: broken.map(
      ({ fault, result }) => `${fault.id} in ${fault.file} ${result!.end === 'void' ? 'is void' : 'slipped through'}`,
    ),
  }
}
