import type { Output } from '../../../contract/calls.ts'
import { favouriteOf, MOST_FAVOURITES, PINNED_KINDS } from '../../../contract/favourites.ts'
import { counted } from '../../../contract/format.ts'
import type { Api } from '../../data/api.ts'
import { favouritesAtom, pinnedAtom } from '../../data/favouriteAtoms.ts'
import { store } from '../../data/jotaiStore.ts'
import { ask, command } from '../command.ts'
import type { Subject } from '../subject.ts'
import { aboutOf, noticeOf } from '../words.ts'

const named = () => store.get(favouritesAtom)?.data ?? []
const keyOf = ({ kind, id }: Subject): string => favouriteOf(kind, id)
const favouritesIn = ({ preferences }: Output<'account.get'>['data']): string[] => (preferences?.favourites ?? []) as string[]
/** True if all of these are pinned, so that they are unpinned next. */
const arePinned = (all: readonly string[], subjects: readonly Subject[]): boolean =>
  subjects.length > 0 && subjects.every((subject) => all.includes(keyOf(subject)))

/** Changes the favourites as they are stored now, as another window may have changed them. */
async function change(api: Api, changed: (now: readonly string[]) => string[]): Promise<void> {
  const { data } = await api.read('account.get', {})
  await api.write('account.edit', { preferences: { favourites: changed(favouritesIn(data)) } })
}

/** Records and views pinned into the sidebar; each person has their own (docs/decisions/panes.md). */
export const favouriteCommands = {
  'view.pin': command({
    title: 'Pin to the sidebar, or unpin',
    titleNow: (_workspace, subjects) =>
      arePinned(store.get(pinnedAtom), subjects) ? 'Unpin from the sidebar' : 'Pin to the sidebar',
    on: PINNED_KINDS,
    many: true,
    rule: null,
    icon: 'pin',
    keywords: 'favourite favorite star bookmark sidebar keep',
    undo: 'restores',
    review: (subjects) => ({
      title: `Pin ${counted(subjects.length, 'record')} to the sidebar?`,
      body: 'If all of them are pinned, they are unpinned.',
      action: 'Pin or unpin',
    }),
    disabledReason(_workspace, subjects) {
      const all = store.get(pinnedAtom)
      return !arePinned(all, subjects) && new Set([...all, ...subjects.map(keyOf)]).size > MOST_FAVOURITES
        ? `the sidebar holds at most ${MOST_FAVOURITES}; unpin one first`
        : null
    },
    async run({ api, subjects }) {
      const keys = subjects.map(keyOf)
      let unpins = false
      await change(api, (now) => {
        unpins = arePinned(now, subjects)
        return unpins ? now.filter((one) => !keys.includes(one)) : [...new Set([...now, ...keys])]
      })
      return { message: noticeOf(unpins ? 'view.unpin' : 'view.pin', aboutOf(subjects)) }
    },
  }),
  'view.moveFavourite': command({
    title: 'Move a favourite…',
    detail: 'in the sidebar',
    on: 'nothing',
    group: 'workspace',
    icon: 'arrows',
    keywords: 'order arrange pinned sidebar up down',
    undo: 'restores',
    disabledReason: () => (named().length > 1 ? null : 'fewer than two are pinned'),
    asks: {
      favourite: ask.option({
        label: 'Favourite',
        options: () => named().map(({ favourite, name, detail }) => ({ value: favourite, label: name, detail })),
      }),
      place: ask.option({
        label: 'Place',
        options: () =>
          named().map(({ name }, at) => ({ value: String(at + 1), label: String(at + 1), detail: `where “${name}” is` })),
      }),
    },
    async run({ api, answers }) {
      const before = named()[Number(answers.place) - 1]?.favourite
      await change(api, (now) => {
        // Those that aren't available count, too.
        const place = before === undefined ? now.length : now.indexOf(before)
        return now.filter((one) => one !== answers.favourite).toSpliced(place, 0, answers.favourite)
      })
      const name = named().find(({ favourite }) => favourite === answers.favourite)?.name
      return { message: noticeOf('view.moveFavourite', { name: name ?? answers.favourite }) }
    },
  }),
  'view.dropMissing': command({
    title: 'Remove unavailable favourites',
    detail: 'deleted, or no longer visible to you',
    on: 'nothing',
    group: 'workspace',
    icon: 'trash',
    keywords: 'pinned sidebar tidy gone',
    undo: 'restores',
    disabledReason: () => (store.get(favouritesAtom)?.missing.length ? null : 'all of them are available'),
    async run({ api }) {
      const missing = store.get(favouritesAtom)?.missing ?? []
      await change(api, (now) => now.filter((one) => !missing.includes(one)))
      return {
        message: noticeOf('view.dropMissing', {
          count: missing.length,
          words: ['unavailable favourite', 'unavailable favourites'],
        }),
      }
    },
  }),
} as const

declare module '../command.ts' {
  interface AreaCommands extends Readonly<typeof favouriteCommands> {}
}
