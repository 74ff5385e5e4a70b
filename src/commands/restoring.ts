import { wordOf } from '../../contract/nounOf.ts'
import type { NounId, nouns, SubjectKind } from '../../contract/nouns.ts'
import type { RestoredNoun } from '../../contract/restored.ts'
import { command } from './command.ts'
import { listed } from './words.ts'

type Own = { [N in NounId]: (typeof nouns)[N] extends { restores: 'own' } ? N : never }[NounId]

/** The command that brings back a deleted record; the review says what comes back with it, or why it can't. */
export const restoreOf = (noun: RestoredNoun | Own) => {
  const id = `${noun}.restore` as 'team.restore'
  return command({
    title: `Restore ${wordOf(noun)}`,
    on: noun satisfies SubjectKind,
    rule: null,
    revives: true,
    keywords: 'undelete deleted bring back recover',
    icon: 'undo',
    undo: 'restores',
    confirm: (subjects) => ({ title: `Restore ${listed(subjects)}?`, body: 'It comes back with its links.', action: 'Restore' }),
    async foresees({ api, subjects: [record], signal }) {
      return { body: (await api.dryRun(id, { id: record!.id }, signal)).message }
    },
    async run({ api, subject }) {
      return { message: (await api.write(id, { id: subject.id })).message }
    },
  })
}
