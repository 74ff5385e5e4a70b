import { printable, printElement } from '../../ui/printing.ts'
import { ask, command } from '../command.ts'
import { named } from '../words.ts'
import { PROJECTS } from './project/reason.ts'

/** Returns the printable quote of a project, if open. */
const quoteSheet = (id: number | undefined) => printable(`quote-${id}`)

/** What clients do with a quote besides deciding on it. */
export const questionCommands = {
  'project.ask': command({
    title: 'Ask a question…',
    on: PROJECTS,
    keywords: 'contact help message administrator note',
    icon: 'help',
    undo: 'restores',
    asks: { note: ask.text({ label: 'Question', lines: 4, placeholder: 'It goes to the people who run your project' }) },
    review: ([subject]) => ({
      title: `Ask about ${subject ? named(subject) : 'this project'}?`,
      body: 'The people who run the project get it by email and answer you.',
      action: 'Ask',
    }),
    async run({ api, subject, answers }) {
      const { message } = await api.write('project.ask', { id: subject.id, note: answers.note })
      return { message }
    },
  }),
  'project.print': command({
    title: 'Print',
    on: PROJECTS,
    rule: null,
    detail: 'its quote or the page that is open',
    keywords: 'paper pdf quote overview',
    icon: 'file',
    undo: 'needless',
    disabledReason: (workspace, [subject]) =>
      quoteSheet(subject?.id) || (subject && workspace.subjects().focused?.id === subject.id) ? null : 'open it to print it',
    run({ workspace, subject }) {
      const sheet = quoteSheet(subject.id)
      if (sheet) printElement(sheet)
      else workspace.layout.print()
    },
  }),
} as const

declare module '../command.ts' {
  interface AreaCommands extends Readonly<typeof questionCommands> {}
}
