import { wordOf } from '../../../contract/nounOf.ts'
import type { SubjectKind } from '../../../contract/nouns.ts'
import { type RouteId, rowOf } from '../../routing/routes.ts'

/** Returns a context's name in help and settings. */
export const contextTitle = (context: string): string =>
  context === 'app'
    ? 'Everywhere'
    : context === 'list' || context === 'pane' || context === 'entries'
      ? { list: 'Lists', pane: 'Panes without a list', entries: 'Notes and history' }[context]
      : (titleOfTab(context) ?? wordOf(context as SubjectKind, true).replace(/^./, (letter) => letter.toUpperCase()))

/** Returns the title of a tab with its own keys: "User Responses". */
function titleOfTab(context: string): string | null {
  const [route, tab] = context.split('.')
  return (tab && rowOf(route as RouteId).tabs?.[tab]?.title) || null
}
