import { type Actor, isAdmin } from '../../../contract/actor.ts'

/** The owner of a project that this caller creates: administrators own what they create. */
export const ownerOf = (actor: Actor): number | null => (isAdmin(actor) ? actor.id : null)
