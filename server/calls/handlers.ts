import { type CallId, calls } from '../../contract/calls.ts'
import type { AnyHandler } from '../core/handler.ts'
import { modulesIn } from '../db/modulesIn.ts'

const rows = (await modulesIn(new URL('./', import.meta.url), import.meta.url)).flatMap(([, module]) =>
  Object.entries(module).flatMap(([name, handlers]) => (name.endsWith('Handlers') ? Object.entries(handlers as object) : [])),
)
const found = new Map(rows)
const without = Object.keys(calls).filter((id) => !found.has(id))
if (without.length) throw new Error(`No file in server/calls/ has a handler for ${without.join(', ')}`)

/** A handler for each call, from this folder's `…Handlers` exports; startup fails and names a missing one. */
export const handlers = Object.fromEntries(Object.keys(calls).map((id) => [id, found.get(id)])) as Record<CallId, AnyHandler>
