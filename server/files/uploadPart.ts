import type { Part } from '../core/ports.ts'

/**
 * The range of a `Range` header; 'none' if it can't be satisfied (416).
 * Null means the whole: no Range, several, an invalid one, or an If-Range for another content.
 */
export function partAsked(headers: { range?: string; 'if-range'?: string }, size: number, etag: string): Part | 'none' | null {
  const [, first, last] = /^bytes=(\d*)-(\d*)$/.exec(headers.range ?? '') ?? []
  if (first === undefined || last === undefined || (!first && !last)) return null
  if (headers['if-range'] !== undefined && headers['if-range'] !== etag) return null
  if (first && last && Number(first) > Number(last)) return null
  const from = first ? Number(first) : Math.max(0, size - Number(last))
  const to = first && last ? Math.min(Number(last), size - 1) : size - 1
  return from >= size ? 'none' : { from, to }
}
