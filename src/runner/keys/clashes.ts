import { type CommandId, isCommandId } from '../../commands/table.ts'
import { contextsOf, type OwnKeys, rebind } from './bindings.ts'
import { normalize } from './token.ts'

/** A binding that can't be reached as before when a person gives a command the keys that are asked about. */
export interface Conflict {
  keys: string
  command: CommandId
  context: string
  /** `same`: one takes the other's place. `begins`: the new keys are the beginning of these. `follows`: these are the beginning of the new ones. */
  how: 'same' | 'begins' | 'follows'
}

/** Two contexts hold at once: the product with all, a list with the record of its pane and those of its rows. */
const meet = (one: string, other: string) =>
  one === other || [one, other].some((context) => context === 'app' || context === 'list')

/** What can't both be reached when a person gives these keys to a command: the same keys, or one the beginning of the other where both hold. */
export function clashesWith(own: OwnKeys, id: CommandId, keys: string): Conflict[] {
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
  // A command of two kinds of record stands in both places, and is one clash.
  return found.filter((clash, at) => found.findIndex((one) => one.keys === clash.keys && one.command === clash.command) === at)
}
