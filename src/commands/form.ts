import { command } from './command.ts'

/** What every form understands; the focused pane's answers. */
export const formCommands = {
  'form.send': command({
    title: 'Send this form',
    on: 'nothing',
    group: 'workspace',
    keywords: 'save submit',
    icon: 'check',
    run: ({ desk }) => {
      const form = desk.form()
      if (form) form.send()
      else desk.notice('There is no form here.')
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
    run: ({ desk }) => desk.form()?.discard(),
  }),
} as const
