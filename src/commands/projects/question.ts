import { isBlank, tooLong } from '../../../contract/fieldKinds.ts'
import { MESSAGE_BLANK, MESSAGE_MOST } from '../../../contract/messageText.ts'
import type { Api } from '../../data/api.ts'
import { printable, printElement } from '../../ui/printing.ts'
import { ask, command } from '../command.ts'
import type { Option, Subject } from '../subject.ts'
import { named } from '../words.ts'
import { PROJECTS } from './project/reason.ts'

/** A message has text, and isn't endless. */
const check = (text: string): string | null =>
  isBlank(text) ? MESSAGE_BLANK : text.trim().length > MESSAGE_MOST ? tooLong(MESSAGE_MOST) : null

/** The partners who can be written to, those who wait for an answer first. */
async function conversations(api: Api, [subject]: readonly Subject[]): Promise<Option[]> {
  const { data } = await api.read('message.conversations', { id: subject!.id })
  return data
    .filter(({ partner_id, refusal }) => partner_id !== null && !refusal)
    .sort((a, b) => Number(b.waiting) - Number(a.waiting))
    .map(({ partner_id, name, waiting }) => ({
      value: String(partner_id),
      label: name,
      detail: waiting ? 'Waits for an answer' : '',
    }))
}

/** Returns the printable quote of a project, if open. */
const quoteSheet = (id: number | undefined) => printable(`quote-${id}`)

/** Conversations about a project, and what else clients do with a quote. */
export const questionCommands = {
  'project.ask': command({
    title: 'Write to the agency…',
    on: PROJECTS,
    keywords: 'ask question answer reply contact help message conversation administrator',
    icon: 'help',
    undo: 'restores',
    asks: { note: ask.text({ label: 'Message', lines: 4, placeholder: 'It goes to the people who run your project', check }) },
    review: ([subject]) => ({
      title: `Write about ${subject ? named(subject) : 'this project'}?`,
      body: 'The people who run the project get it by email and answer you.',
      action: 'Send',
    }),
    async run({ api, subject, answers }) {
      const { message } = await api.write('message.send', { id: subject.id, text: answers.note })
      return { message }
    },
  }),
  'project.writeClient': command({
    title: 'Write to the client…',
    on: PROJECTS,
    rule: null,
    keywords: 'ask question answer reply message conversation',
    icon: 'mail',
    undo: 'restores',
    asks: { text: ask.text({ label: 'Message', lines: 4, placeholder: 'They get it by email', check }) },
    review: ([subject]) => ({
      title: `Write to the client of ${subject ? named(subject) : 'this project'}?`,
      body: 'The requester, the approvers and who wrote before get it by email.',
      action: 'Send',
    }),
    async run({ api, subject, answers }) {
      return { message: (await api.write('message.send', { id: subject.id, text: answers.text })).message }
    },
  }),
  'project.writePartner': command({
    title: 'Write to a partner…',
    on: PROJECTS,
    rule: null,
    keywords: 'ask question answer reply message conversation',
    icon: 'mail',
    undo: 'restores',
    asks: {
      partner: ask.entity({ kind: 'partner', label: 'Partner', among: conversations }),
      text: ask.text({ label: 'Message', lines: 4, placeholder: 'They get it by email', check }),
    },
    review: ([subject]) => ({
      title: `Write to this partner about ${subject ? named(subject) : 'this project'}?`,
      body: 'They get it by email with a link to answer. No other partner sees it.',
      action: 'Send',
    }),
    async run({ api, subject, answers: { partner, text } }) {
      return { message: (await api.write('message.send', { id: subject.id, partner_id: partner, text })).message }
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
