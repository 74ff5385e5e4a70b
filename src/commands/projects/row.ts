import { command } from '../command.ts'

/** Rows of a form: children of a project, assets, schedules. */
export const rowCommands = {
  'row.add': command({
    title: 'Add a row',
    on: 'nothing',
    group: 'workspace',
    keywords: 'another line child asset form',
    icon: 'plus',
    run: ({ workspace }) => {
      const rows = workspace.form()?.rows
      if (rows) rows.add()
      else workspace.notice('There is no form with rows here.')
    },
  }),
  'row.remove': command({
    title: 'Remove this row',
    on: 'nothing',
    group: 'workspace',
    keywords: 'delete line form',
    icon: 'x',
    disabledReason: (workspace) => workspace?.form()?.rows?.whyNotRemove?.() ?? null,
    run: ({ workspace }) => {
      const rows = workspace.form()?.rows
      if (rows) rows.remove()
      else workspace.notice('There is no form with rows here.')
    },
  }),
} as const

declare module '../command.ts' {
  interface AreaCommands extends Readonly<typeof rowCommands> {}
}
