import { nounsWith } from './nounOf.ts'
import type { NounId, nouns } from './nouns.ts'

type With<Column> = { [N in NounId]: (typeof nouns)[N] extends { restores: Column } ? N : never }[NounId]
/** Nouns that `{noun}.restore` restores, as their rows say; clients and projects have calls of their own. */
export type RestoredNoun = With<{ at: string }>
export const RESTORED = nounsWith(({ restores }) => typeof restores === 'object') as readonly RestoredNoun[]

/** Nouns whose deletion can be looked up, because a deleted record's screen may still be open. */
export type DeletedNoun = With<unknown>
export const DELETED_NOUNS = nounsWith(({ restores }) => restores) as readonly DeletedNoun[]
