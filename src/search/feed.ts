import { foundCode, nounOf } from '../../contract/nounOf.ts'
import { SPELLING } from '../../contract/status.ts'
import type { Changes, Entity } from './types.ts'

/** An entry as the call sends it. */
export type Entry = [kind: string, id: number, name: string, detail: string]

/** The last word of a second line, if it is an address. */
function addressIn(detail: string): string | undefined {
  if (!detail.includes('@')) return undefined
  const last = detail.split(/\s/).at(-1)!
  return last.slice(1, -1).includes('@') ? last : undefined
}

/** Parts of a project rank below projects, completed ones too, because they often share the project's name. */
const isPart = (kind: string): boolean => nounOf(kind)?.found?.detail === 'project'
/** Projects that are over rank below running ones. */
const OVER = [SPELLING.completed.shown, SPELLING.reporting.shown, SPELLING.rejected.shown].map((word) => ` · ${word}`)
const weightOf = (kind: string, detail: string): number =>
  isPart(kind) ? -2 : OVER.some((word) => detail.endsWith(word)) ? -1 : 0

export function toEntity([kind, id, name, detail]: Entry): Entity {
  const entity: Entity = { key: `${kind}:${id}`, kind, id, name, detail }
  const weight = weightOf(kind, detail)
  if (weight !== 0) entity.weight = weight
  const code = foundCode(kind, id) ?? (nounOf(kind)?.found?.addressed && addressIn(detail))
  if (code) entity.code = code
  return entity
}

/** The response when it is read in one piece. */
type Answer = { cursor: number; full: boolean; put: Entry[]; drop: [kind: string, id: number][] }
export type Feed = Changes & { cursor: number; full: boolean }

/** Parses a response small enough to be read at once. */
export function readFeed(text: string): Feed {
  const { cursor, full, put, drop } = JSON.parse(text) as Answer
  return { cursor, full, put: put.map(toEntity), drop: drop.map(([kind, id]) => `${kind}:${id}`) }
}

/** Returns whether a response that begins like this has all names; null if it doesn't tell. */
export function holdsAll(beginning: string): boolean | null {
  const found = /^\s*\{\s*"cursor":\s*\d+,\s*"full":\s*(true|false)/.exec(beginning)
  return found === null ? null : found[1] === 'true'
}

/** The maximum length of the first line, if each entry has its own line. */
const HEAD = 500

/**
 * Parses a full response while its bytes arrive. The server writes an entry per line, so whole lines parse alone.
 * A document with another format is parsed at its end.
 */
export class FeedReader {
  private decoder = new TextDecoder()
  private rest = ''
  /** Pieces of a document with another format, joined once at its end. */
  private pieces: string[] = []
  private state: 'head' | 'rows' | 'done' | 'plain' = 'head'
  private cursor = 0
  private take: (entity: Entity) => void

  constructor(take: (entity: Entity) => void) {
    this.take = take
  }

  push(bytes: Uint8Array): void {
    const text = this.decoder.decode(bytes, { stream: true })
    if (this.state === 'plain') {
      this.pieces.push(text)
      return
    }
    this.rest += text
    if (this.state === 'head') {
      const end = this.rest.indexOf('\n')
      if (end < 0 && this.rest.length < HEAD) return
      const head = this.rest.slice(0, Math.max(0, end))
      if (!head.endsWith('"put":[')) {
        this.state = 'plain'
        this.pieces.push(this.rest)
        this.rest = ''
        return
      }
      this.cursor = (JSON.parse(`${head}]}`) as Answer).cursor
      this.state = 'rows'
      this.rest = this.rest.slice(end + 1)
    }
    if (this.state !== 'rows') return
    const end = this.rest.lastIndexOf('\n') + 1
    if (end === 0) return
    let lines = this.rest.slice(0, end)
    this.rest = this.rest.slice(end)
    if (lines.endsWith(']}\n') && (lines.length === 3 || lines.at(-4) === '\n')) {
      this.state = 'done'
      lines = lines.slice(0, -3)
    }
    lines = lines.trimEnd()
    if (lines.endsWith(',')) lines = lines.slice(0, -1)
    if (lines !== '') for (const entry of JSON.parse(`[${lines}]`) as Entry[]) this.take(toEntity(entry))
  }

  /** Returns the cursor; throws if the response was truncated. */
  end(): number {
    if (this.state === 'done') return this.cursor
    if (this.state === 'rows') throw new Error('The names broke off half way.')
    const { cursor, put } = readFeed(this.pieces.join('') + this.rest)
    for (const entity of put) this.take(entity)
    return cursor
  }
}
