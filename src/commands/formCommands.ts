import { command } from './command.ts'

const section = (title: string, by: 1 | -1) =>
  command({
    title,
    on: 'nothing',
    group: 'workspace',
    keywords: 'part field jump',
    icon: 'list',
    undo: 'needless',
    run: ({ workspace }) => {
      if (!workspace.stepSection(by)) workspace.notice('This screen has no sections.')
    },
  })

/** Commands of every form; the focused pane's form runs them. */
export const formCommands = {
  'form.send': command({
    title: 'Submit form',
    on: 'nothing',
    group: 'workspace',
    keywords: 'save submit',
    icon: 'check',
    run: ({ workspace }) => {
      const form = workspace.form()
      if (form) form.send()
      else if (!workspace.sendSmallForm()) workspace.notice('There is no form here.')
    },
  }),
  'form.nextSection': section('Next section of the form', 1),
  'form.previousSection': section('Previous section of the form', -1),
  'form.another': command({
    title: 'Save and add another',
    on: 'nothing',
    group: 'workspace',
    icon: 'plus',
    run: ({ workspace }) => {
      const form = workspace.form()
      if (form?.another) form.another()
      else workspace.notice('This form adds one at a time.')
    },
  }),
  'form.discard': command({
    title: 'Start form over',
    on: 'nothing',
    group: 'workspace',
    keywords: 'discard reset draft clear',
    icon: 'undo',
    danger: true,
    confirm: () => ({
      title: 'Start over?',
      body: 'Everything you typed here and haven’t sent is discarded.',
      action: 'Start over',
    }),
    run: ({ workspace }) => workspace.form()?.discard(),
  }),
} as const
