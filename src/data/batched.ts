import type { Input, Output, ReadId } from '../../contract/calls.ts'
import { api } from './apiClient.ts'
import { type Answer, useRead } from './useCall.ts'

/** How a call that answers several parts at once is asked for some of them, and how its answer is taken apart. */
export interface Parted<Id extends ReadId, Part> {
  call: Id
  /** The input that asks for these parts. */
  ask(input: Input<Id>, parts: readonly number[]): Input<Id>
  /** The parts of an answer by their ids. */
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

/** Reads one part; parts asked for in the same moment travel together, and one that fails fails alone. */
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
    // The server refused all for one: each is asked for by itself, so that the others are there.
    if (parts.length > 1 && isRefusal(error)) for (const part of parts) await readTogether(how, input, [part], waiting)
    else for (const part of parts) for (const { reject } of waiting.get(part)!) reject(error)
  }
}

/** True for an answer of the server; a lost connection has no status, and the next request would fail alike. */
const isRefusal = (error: unknown): boolean => Number((error as { status?: number }).status) >= 400

/** Reads one part of a call (null: waits), refreshed like any other read; null where the answer lacks the part. */
export const usePartOf = <Id extends ReadId, Part>(
  how: Parted<Id, Part>,
  input: Input<Id> | null,
  part: number,
): Answer<Part | null> =>
  useRead<Part | null>(
    input === null ? null : [how.call, { ...(input as object), part }],
    () => readPart(how as unknown as Parted<ReadId, unknown>, input as Input<ReadId>, part) as Promise<Part | null>,
  )
