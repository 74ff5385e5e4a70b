import { ask, command } from '../command.ts'
import type { Option } from '../subject.ts'
import type { ColumnsController } from '../workspaceApi.ts'

const columnOptions = (columns: ColumnsController | undefined): readonly Option[] =>
  (columns?.all ?? []).map(({ id, header }) => ({
    value: id,
    label: header,
    detail: columns?.chosen.some((one) => one.id === id) ? 'shown' : 'hidden',
  }))

/** Arranges a list by name: sets its order and columns, and resets them. */
export const arrangeCommands = {
  'arrange.sort': command({
    title: 'Sort by…',
    detail: 'a column of this list',
    undo: 'needless',
    on: 'nothing',
    group: 'list',
    keywords: 'order arrange ascending descending',
    disabledReason: (workspace) =>
      (workspace.list()?.orders?.().length ?? 0) > 1 ? null : 'there is no list here with several orders',
    asks: {
      order: ask.option({
        label: 'Order',
        named: 'Sort',
        options: (_subjects, workspace) =>
          (workspace?.list()?.orders?.() ?? []).map(({ id, label, checked }) => ({
            value: id,
            label,
            detail: checked ? 'now' : '',
          })),
      }),
    },
    run: ({ workspace, answers }) =>
      workspace
        .list()
        ?.orders?.()
        .find(({ id }) => id === answers.order)
        ?.onSelect(),
  }),
  'arrange.column': command({
    title: 'Show or hide column…',
    undo: 'needless',
    on: 'nothing',
    group: 'list',
    icon: 'columns',
    keywords: 'add remove table',
    disabledReason: (workspace) => (workspace.list()?.columnsAt ? null : 'there is no list here with columns'),
    asks: {
      column: ask.option({
        label: 'Column',
        named: 'Column',
        options: (_subjects, workspace) => columnOptions(workspace?.list()?.columnsAt),
      }),
    },
    run({ workspace, answers }) {
      const columns = workspace.list()?.columnsAt
      if (!columns) return
      const rest = columns.chosen.filter(({ id }) => id !== answers.column)
      columns.change(rest.length < columns.chosen.length ? rest : [...rest, { id: answers.column }])
    },
  }),
  'arrange.clear': command({
    title: 'Clear filters',
    detail: 'search and order too',
    undo: 'needless',
    on: 'nothing',
    group: 'list',
    icon: 'undo',
    keywords: 'reset remove show all usual default',
    disabledReason: (workspace) => {
      const list = workspace.list()
      return !list?.clear ? 'there is no list here' : list.clear() ? null : 'nothing is filtered here'
    },
    run: ({ workspace }) => workspace.list()?.clear?.()?.(),
  }),
} as const

declare module '../command.ts' {
  interface AreaCommands extends Readonly<typeof arrangeCommands> {}
}
