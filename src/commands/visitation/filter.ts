import { MESSAGES } from '../../../contract/messages.ts'
import { filterFields } from '../../../contract/savedFields.ts'
import { activeBrandInfo } from '../brandInfoController.ts'
import { ask, command } from '../command.ts'
import { asksOf } from '../fieldAsks.ts'
import { noticeOf } from '../words.ts'

const NONE = 'none'
const AS_NEW = 'new'
const onScreen = () => (activeBrandInfo() ? null : 'open a brand’s visits first')
const withFilters = () => onScreen() ?? (activeBrandInfo()?.filters().length ? null : 'you have no saved filter of this brand')
/** Returns the open filter, which a save may overwrite. */
const current = () => activeBrandInfo()?.filter() ?? null

/** Saved filters of a brand (screens-visitation.md, Brand info). */
export const filterCommands = {
  'filter.open': command({
    title: 'Open a saved filter…',
    on: 'nothing',
    group: 'workspace',
    keywords: 'load visits bookmark',
    icon: 'bookmark',
    disabledReason: withFilters,
    asks: {
      filter: ask.option({
        label: 'Saved filter',
        options: () => [
          ...(activeBrandInfo()?.filters() ?? []),
          ...(current() ? [{ value: NONE, label: 'No saved filter', detail: 'keeps what is shown' }] : []),
        ],
      }),
    },
    run: ({ answers }) => activeBrandInfo()?.openFilter(answers.filter === NONE ? null : Number(answers.filter)),
  }),
  'filter.save': command({
    title: 'Save this filter…',
    undo: 'restores',
    on: 'nothing',
    group: 'workspace',
    keywords: 'keep bookmark visits overwrite update',
    icon: 'bookmark',
    disabledReason: () => onScreen() ?? (activeBrandInfo()?.kept() ? null : 'filters are saved for a single brand'),
    asks: {
      as: ask.option({
        label: 'Save',
        options: () => [
          { value: AS_NEW, label: 'As a new filter' },
          ...(current()
            ? [{ value: String(current()!.id), label: `Replace “${current()!.name}”`, detail: 'undo restores it' }]
            : []),
        ],
        prefill: () => (current() ? undefined : AS_NEW),
      }),
      filter_name: ask.text({ ...asksOf(filterFields).filter_name, when: ({ as }) => as === AS_NEW }),
    },
    async run({ api, answers }) {
      const here = activeBrandInfo()
      const kept = here?.kept()
      if (!here || !kept) return undefined
      const over = answers.as === AS_NEW ? null : current()
      const { data, message } = await api.write('filter.save', {
        ...kept,
        filter_name: over?.name ?? answers.filter_name ?? '',
        ...(over ? { filter_id: over.id } : {}),
      })
      here.openFilter(data.filter_id)
      return { message }
    },
  }),
  'filter.remove': command({
    title: 'Delete a saved filter…',
    on: 'nothing',
    group: 'workspace',
    keywords: 'remove visits',
    icon: 'trash',
    undo: 'restores',
    danger: true,
    disabledReason: withFilters,
    asks: {
      filter: ask.option({
        label: 'Saved filter',
        options: () => activeBrandInfo()?.filters() ?? [],
        prefill: () => (current() ? String(current()!.id) : undefined),
      }),
    },
    confirm: (_subjects, { filter }) => ({
      title: `Delete “${nameOf(filter)}”?`,
      body: MESSAGES.visitFilterDelete,
      action: 'Delete',
    }),
    async run({ api, answers }) {
      const name = nameOf(answers.filter)
      // Closes the filter first; otherwise its link would say that it doesn’t exist.
      if (current()?.id === Number(answers.filter)) activeBrandInfo()?.openFilter(null)
      await api.write('filter.remove', { filter_id: Number(answers.filter) })
      return { message: noticeOf('filter.remove', { name }) }
    },
  }),
} as const

const nameOf = (id: unknown): string =>
  activeBrandInfo()
    ?.filters()
    .find(({ value }) => value === String(id))?.label ?? 'this filter'

declare module '../command.ts' {
  interface AreaCommands extends Readonly<typeof filterCommands> {}
}
