import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { constants, createBrotliCompress, createGzip } from 'node:zlib'
import type { Ctx } from '../core/context.ts'
import { collect, keptText } from './keptIndex.ts'
import { type Entry, findable, PAGE, sourceOf } from './sources.ts'

/** Above every id. */
const NEWEST = 2 ** 31 - 1

/** Compressions of the index, the cheapest first: a window of 256 kB lets the first rows leave early. */
const SQUEEZED = [
  {
    name: 'br',
    open: () => createBrotliCompress({ params: { [constants.BROTLI_PARAM_QUALITY]: 1, [constants.BROTLI_PARAM_LGWIN]: 18 } }),
  },
  { name: 'gzip', open: () => createGzip({ level: 3 }) },
] as const

/**
 * Streams everything the caller can find as one JSON document with one entry on each line.
 * What administrators share is kept; anything else is read in pages and never held in memory whole.
 * A failed read breaks the connection.
 */
export async function sendIndex(ctx: Ctx, cursor: number): Promise<void> {
  const { reply, request, services } = ctx
  const accepted = String(request.headers['accept-encoding'] ?? '')
  const encoding = SQUEEZED.find(({ name }) =>
    new RegExp(`\\b${name}\\b(?!\\s*;\\s*q=0(?:\\.0*)?\\s*(?:,|$))`, 'i').test(accepted),
  )
  const headers = {
    ...reply.getHeaders(),
    'content-type': 'application/json; charset=utf-8',
    vary: 'accept-encoding',
    ...(encoding ? { 'content-encoding': encoding.name } : {}),
  }
  const known = await keptText(ctx)
  reply.hijack()
  try {
    reply.raw.writeHead(200, headers as Record<string, string | number>)
    const text = Readable.from(known ? keptParts(ctx, cursor, known) : indexText(ctx, cursor))
    if (encoding) await pipeline(text, encoding.open(), reply.raw)
    else await pipeline(text, reply.raw)
  } catch (error) {
    if ((error as { code?: unknown }).code !== 'ERR_STREAM_PREMATURE_CLOSE')
      services.log.warn({ err: error }, "sending the palette's index was interrupted")
    reply.raw.destroy()
  }
}

const headOf = (cursor: number) => `{"cursor":${cursor},"full":true,"drop":[],"put":[\n`
const linesOf = (rows: readonly Entry[]) => rows.map((row) => JSON.stringify(row)).join(',\n')

/** The document of kept entries, and those of the caller's own. */
async function* keptParts(ctx: Ctx, cursor: number, known: Buffer): AsyncGenerator<string | Buffer> {
  yield headOf(cursor)
  if (known.length) yield known
  let first = known.length === 0
  for (const noun of findable(ctx).filter((noun) => sourceOf(noun).own))
    for (let before = NEWEST, more = true; more; ) {
      const rows = await sourceOf(noun).rows(ctx, { before })
      if (rows.length) yield `${first ? '' : ',\n'}${linesOf(rows)}`
      first &&= rows.length === 0
      before = rows.at(-1)?.[1] ?? 0
      more = rows.length === PAGE
    }
  yield `${first ? '' : '\n'}]}\n`
}

async function* indexText(ctx: Ctx, cursor: number): AsyncGenerator<string> {
  yield headOf(cursor)
  const collected = await collect(ctx, cursor)
  let first = true
  // A page of each noun in turn, so that every kind appears soon.
  let left = findable(ctx).map((noun) => ({ source: sourceOf(noun), before: NEWEST }))
  while (left.length) {
    const more: typeof left = []
    for (const { source, before } of left) {
      const rows = await source.rows(ctx, { before })
      if (!source.own) collected?.add(rows)
      if (rows.length > 0) yield `${first ? '' : ',\n'}${linesOf(rows)}`
      first &&= rows.length === 0
      if (rows.length === PAGE) more.push({ source, before: rows.at(-1)![1] })
    }
    left = more
  }
  collected?.done()
  yield `${first ? '' : '\n'}]}\n`
}
