import type { Call } from '../../../contract/call.ts'
import { type CallId, calls } from '../../../contract/calls.ts'
import type { Random } from '../random.ts'
import { BREAKS } from './breaks.ts'
import { inputFor } from './generate.ts'
import { right, type Shot } from './shot.ts'
import { uploadOf } from './uploads.ts'

const rows = Object.entries(calls) as [CallId, Call][]

/** Calls that respond as long as the client listens; they have their own tests. */
const ENDLESS = new Set<string>(['live.stream'])
export const SHOT_CALLS = rows.filter(([id]) => !ENDLESS.has(id))

/** The next request of a run. */
export function nextShot(random: Random): Shot {
  const [id, row] = random.pick(SHOT_CALLS)
  const who = random.pick(['admin', 'admin', 'admin', 'admin', 'client', 'client', 'stranger'] as const)
  const draft = { id, row, input: inputFor(row.input, random), random }
  if (row.as === 'multipart') return { id, who, kind: 'upload', ...uploadOf(draft) }
  const [kind, breakIt] = random.chance(0.3) ? (['right', right] as const) : random.pick(BREAKS)
  return { id, who, kind, ...breakIt(draft) }
}
