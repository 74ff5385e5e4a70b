import { command } from './command.ts'

/** What every form understands; the focused pane's answers. */
export const formCommands = {
  'form.send': command({
    title: 'Send this form',
    on: 'nothing',
    group: 'workspace',
    keywords: 'save submit',
    icon: 'check',
    run: ({ workspace }) => {
      const form = workspace.form()
      if (form) form.send()
      else workspace.notice('There is no form here.')
    },
  }),
  'form.discard': command({
    title: 'Start this form over',
    on: 'nothing',
    group: 'workspace',
    keywords: 'discard reset draft clear',
    icon: 'undo',
    danger: true,
    confirm: () => ({ title: 'Start over?', body: 'What was typed here and not sent is thrown away.', action: 'Start over' }),
    run: ({ workspace }) => workspace.form()?.discard(),
  }),
} as const
