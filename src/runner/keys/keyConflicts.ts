import { type CommandId, isCommandId } from '../../commands/table.ts'
import { type RouteId, routeIds, rowOf } from '../../routing/routes.ts'
import { contextsOf, type OwnKeys, rebind } from './bindings.ts'
import { normalize } from './keyReading.ts'

/** A binding that would change or break if a command got the given keys. */
export interface Conflict {
  keys: string
  command: CommandId
  context: string
  /** `same`: identical keys. `begins`: the new keys are a prefix of these. `follows`: the reverse. */
  how: 'same' | 'begins' | 'follows'
}

/** True if two contexts can be active at once: app, lists and panes with all, a record with its tabs. */
const meet = (one: string, other: string) =>
  one === other ||
  ([one, other].some((context) => /^(app|list|pane|entries)$/.test(context)) &&
    // Panes scroll, and entries have a cursor, only without a list.
    !([one, other].includes('list') && /^(pane|entries)$/.test(one === 'list' ? other : one))) ||
  recordOf(one) === other ||
  recordOf(other) === one

/** Returns the kind of record of a tab's context: `surveyProject.userResponses` belongs to campaigns. */
const recordOf = (context: string): string | undefined => {
  const [route, tab] = context.split('.')
  return tab && routeIds.includes(route as RouteId) ? rowOf(route as RouteId).subject : undefined
}

/** Returns the bindings that conflict with these keys: identical, or one a prefix of the other. */
export function conflictsWith(own: OwnKeys, id: CommandId, keys: string): Conflict[] {
  const written = normalize(keys)
  if (!written) return []
  const map = rebind({ ...own, [id]: '' })
  const found = contextsOf(id).flatMap((context) =>
    Object.entries(map).flatMap(([other, bindings]) =>
      meet(context, other)
        ? Object.entries(bindings).flatMap(([taken, command]): Conflict[] => {
            const how =
              taken === written
                ? 'same'
                : taken.startsWith(`${written} `)
                  ? 'begins'
                  : written.startsWith(`${taken} `)
                    ? 'follows'
                    : null
            return how && isCommandId(command) ? [{ keys: taken, command, context: other, how }] : []
          })
        : [],
    ),
  )
  // A command on two kinds of record is in two contexts but is one conflict.
  return found.filter((clash, at) => found.findIndex((one) => one.keys === clash.keys && one.command === clash.command) === at)
}
