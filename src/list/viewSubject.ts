import type { Output } from '../../contract/calls.ts'
import type { Subject } from '../commands/subject.ts'
import { may } from '../data/permissions.ts'

export type SavedView = Output<'view.list'>['data'][number]

/** A saved view as a command subject; `now` is the list's state, if it is open. */
export const viewSubject = (view: SavedView, now?: string): Subject => ({
  kind: 'view',
  id: view.id,
  name: view.name,
  allowed_actions: view.allowed_actions,
  refused_actions: view.refused_actions,
  record: { ...view, everyone: may('view.shareWithEveryone'), ...(now === undefined ? {} : { now }) },
})
