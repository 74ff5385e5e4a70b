import { z } from 'zod'
import { call, EffectSentence, Id } from './call.ts'
import { nounOf, wordOf } from './nounOf.ts'
import type { Noun, Restores } from './nouns.ts'
import { RESTORED, type RestoredNoun } from './restored.ts'

const restoreOf = (noun: RestoredNoun) => {
  const { at, with: links, refreshes } = nounOf(noun)!.restores as Restores
  return call({
    method: 'POST',
    path: `${at}/{id}/restore`,
    about: `Restores a ${wordOf(noun)} that was deleted, at any time: ${links} are as they were. Returns 409 if a later change prevents it.`,
    undo: true,
    input: z.object({ id: Id }),
    output: z.object({ data: z.object({ id: z.number() }), message: EffectSentence }),
    refreshes: [...(refreshes as readonly Noun[]), 'history'],
  })
}

/** A restore for each noun whose row says so (docs/decisions/nouns.md). */
export const restoreCalls = Object.fromEntries(RESTORED.map((noun) => [`${noun}.restore`, restoreOf(noun)])) as {
  readonly [N in RestoredNoun as `${N}.restore`]: ReturnType<typeof restoreOf>
}
