import type { Input, Output, ReadId } from '../../contract/calls.ts'
import { api } from './apiClient.ts'
import { type Answer, useRead } from './useCall.ts'

/** How to request several parts in one call, and how to split the response. */
export interface Parted<Id extends ReadId, Part> {
  call: Id
  /** Returns the input that requests these parts. */
  ask(input: Input<Id>, parts: readonly number[]): Input<Id>
  /** Returns the parts of a response by id. */
  parts(output: Output<Id>): ReadonlyMap<number, Part>
}

/** The most parts of one request. */
const MOST = 20

interface Waiting {
  resolve(part: unknown): void
  reject(error: unknown): void
}
interface Batch {
  how: Parted<ReadId, unknown>
  input: Input<ReadId>
  waiting: Map<number, Waiting[]>
}
const batches = new Map<string, Batch>()

/** Reads one part. Parts requested in the same moment share a request; if one fails, only that one fails. */
function readPart(how: Parted<ReadId, unknown>, input: Input<ReadId>, part: number): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const key = `${how.call} ${JSON.stringify(input)}`
    let batch = batches.get(key)
    if (!batch) {
      batch = { how, input, waiting: new Map() }
      batches.set(key, batch)
      setTimeout(() => {
        batches.delete(key)
        send(batch!)
      })
    }
    batch.waiting.set(part, [...(batch.waiting.get(part) ?? []), { resolve, reject }])
  })
}

function send({ how, input, waiting }: Batch): void {
  const all = [...waiting.keys()]
  for (let at = 0; at < all.length; at += MOST) void readTogether(how, input, all.slice(at, at + MOST), waiting)
}

async function readTogether(
  how: Batch['how'],
  input: Batch['input'],
  parts: readonly number[],
  waiting: Batch['waiting'],
): Promise<void> {
  try {
    const found = how.parts(await api.read(how.call, how.ask(input, parts)))
    for (const part of parts) for (const { resolve } of waiting.get(part)!) resolve(found.get(part) ?? null)
  } catch (error) {
    // The server refused all of them because of one, so request each by itself.
    if (parts.length > 1 && isRefusal(error)) for (const part of parts) await readTogether(how, input, [part], waiting)
    else for (const part of parts) for (const { reject } of waiting.get(part)!) reject(error)
  }
}

/** True for an error response. A lost connection has no status, and the next request would fail as well. */
const isRefusal = (error: unknown): boolean => Number((error as { status?: number }).status) >= 400

/** Reads one part of a call (null waits), refreshed like any read; null if the response lacks the part. */
export const usePartOf = <Id extends ReadId, Part>(
  how: Parted<Id, Part>,
  input: Input<Id> | null,
  part: number,
): Answer<Part | null> =>
  useRead<Part | null>(
    input === null ? null : [how.call, { ...(input as object), part }],
    () => readPart(how as unknown as Parted<ReadId, unknown>, input as Input<ReadId>, part) as Promise<Part | null>,
  )
