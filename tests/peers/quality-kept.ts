import { createHash } from 'node:crypto'
import { mkdirSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import type { Entity } from '../../src/search/types.ts'
import type { Answer, Ask } from '../support/outsider/quality.ts'

const folder = resolve(import.meta.dirname, '../../.cache/search-quality')
/** Rows to cache for a query; the figures need no more. */
const ROWS = 5
/** How many queries run between two writes, so that an interrupted run keeps nearly all of them. */
const OFTEN = 20

/** Cached results of earlier runs by query; `from` is when the last one was stored. */
export type KeptAnswers = { ask: Ask; write: () => void; from: Date | null; reused: () => number }

/**
 * Caches an engine's results with their times in `.cache`, for one that takes a second a query.
 * They are valid for the same names, version and options (`made`).
 */
export function keptAnswers(made: string, entities: readonly Entity[], ask: Ask): KeptAnswers {
  const hash = createHash('sha256').update(made)
  for (const { key, name, code, detail } of entities) hash.update(`${key}\t${name}\t${code}\t${detail}\n`)
  const file = join(folder, `${hash.digest('hex').slice(0, 16)}.json`)
  let answers: Record<string, Answer> = {}
  let from: Date | null = null
  try {
    answers = JSON.parse(readFileSync(file, 'utf8')) as Record<string, Answer>
    from = statSync(file).mtime
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
  }
  let [fresh, reused] = [0, 0]
  const write = (): void => {
    if (fresh === 0) return
    mkdirSync(folder, { recursive: true })
    writeFileSync(`${file}.new`, JSON.stringify(answers))
    renameSync(`${file}.new`, file)
    fresh = 0
  }
  return {
    ask: (text) => {
      const known = answers[text]
      if (known !== undefined) {
        reused++
        return known
      }
      const { ids, ms } = ask(text)
      answers[text] = { ids: ids.slice(0, ROWS), ms }
      if (++fresh >= OFTEN) write()
      return answers[text]
    },
    write,
    from,
    reused: () => reused,
  }
}
