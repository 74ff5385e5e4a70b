import { count, counted, dollars, percent, shortDate } from '../../../../contract/format.ts'
import { projectFields } from '../../../../contract/projectFields.ts'
import { type Invitation, profferSubject, type Quote } from '../../../commands/profferSubject.ts'
import type { CommandId } from '../../../commands/table.ts'
import { moment } from '../../../data/format.ts'
import { CommandButton } from '../../../runner/CommandButton.tsx'
import { Button } from '../../../ui/Button.tsx'
import { Dialog } from '../../../ui/Dialog.tsx'
import { Pill } from '../../../ui/Pill.tsx'
import { type Fact, Facts } from '../Disclosure.tsx'
import { type Round, stateOf } from './quoteSteps.ts'

const COMMANDS: readonly CommandId[] = [
  'invitation.edit',
  'invitation.revoke',
  'invitation.preview',
  'invitation.copyLink',
  'proffer.enter',
  'project.remind',
]

/** Returns an invitation's details: its terms and the answer. */
function factsOf(invitation: Invitation, quote: Quote): Fact[] {
  const { answer, invited_by, mailed_at, opened_at, opens, last_opened_at, reminders, reminded_at, revoked_at } = invitation
  const times = opens > 1 ? `, ${counted(opens, 'time')}, last ${moment(last_opened_at)}` : ''
  return [
    ['Email', invitation.email || 'No email address: copy the link instead'],
    ['Invited', `${moment(invitation.invited_at)}${invited_by ? ` by ${invited_by.name}` : ''}`],
    ['Emailed', mailed_at ? moment(mailed_at) : 'Not emailed'],
    ['Answer by', invitation.answer_by ? shortDate(invitation.answer_by) : ''],
    ['Link valid until', invitation.link_until ? moment(invitation.link_until) : ''],
    ['Opened', opened_at ? `${moment(opened_at)}${times}` : 'Not yet'],
    ['Reminded', reminders ? `${counted(reminders, 'time')}, last ${moment(reminded_at)}` : 'Not yet'],
    ...(revoked_at ? ([['Revoked', `${moment(revoked_at)}: ${invitation.revoke_reason}`, { wide: true }]] as const) : []),
    ['Title', invitation.title, { wide: true }],
    ['Requirements', invitation.requirements && <Text key="requirements">{invitation.requirements}</Text>, { wide: true }],
    ['Files', shownFiles(invitation, quote), { wide: true }],
    ['Survey link', invitation.show_survey ? 'Shown' : 'Not shown'],
    ['Entry link', invitation.entry_url || 'Not set'],
    ['Why this round', invitation.why],
    ['Message', invitation.message && <Text key="message">{invitation.message}</Text>, { wide: true }],
    ...(answer ? answerFacts(answer) : []),
  ]
}

/** The names of the released files. */
const shownFiles = ({ file_ids }: Invitation, { files }: Quote): string =>
  files
    .filter(({ id }) => file_ids.includes(id))
    .map(({ name }) => name)
    .join(', ') || 'None released'

const answerFacts = (answer: NonNullable<Invitation['answer']>): Fact[] => [
  [
    'Answered',
    `${moment(answer.sent_at ?? answer.created_at)}${answer.late ? ', late' : ''}${answer.entered_by ? `, entered by ${answer.entered_by}` : ''}${answer.corrections ? `, corrected ${counted(answer.corrections, 'time')}` : ''}`,
    { wide: true },
  ],
  ...(answer.fill_requirements === 'Yes'
    ? ([
        ['Completes', answer.feasible_completes === null ? '' : count(answer.feasible_completes)],
        ['CPI', answer.cpi_cents === null ? '' : dollars(answer.cpi_cents)],
        ['Total', answer.total_cents === null ? '' : dollars(answer.total_cents)],
        [projectFields.incidence.label, answer.incidence === null ? '' : percent(answer.incidence)],
        [projectFields.loi_minutes.label, answer.loi_minutes === null ? '' : `${answer.loi_minutes} min`],
        ['Field days', answer.field_days === null ? '' : count(answer.field_days)],
        ['Valid until', answer.valid_until ? shortDate(answer.valid_until) : ''],
        ['Note', answer.note && <Text key="note">{answer.note}</Text>, { wide: true }],
      ] as const)
    : ([['Reason', <Text key="reason">{answer.reason}</Text>, { wide: true }]] as const)),
]

const Text = ({ children }: { children: string }) => (
  <span dir="auto" className="whitespace-pre-wrap">
    {children}
  </span>
)

interface Props {
  quote: Quote
  round: Round
  invitation: Invitation
  onClose(): void
}

/** Shows an invitation in full, with its commands ("Campaign admin info"). */
export function InvitationDialog({ quote, round, invitation, onClose }: Props) {
  const { tone, shape, words } = stateOf(invitation)
  const subjects = [profferSubject(quote, invitation)]
  return (
    <Dialog
      open
      onClose={onClose}
      size="lg"
      initialFocus="[data-answer=ok]"
      title={invitation.name}
      description={`Round ${round.round} of ${quote.name}`}
      footer={
        // A command's questions open in front of the pane, not behind this dialog.
        // biome-ignore lint/a11y/useKeyWithClickEvents: the buttons inside handle keys
        // biome-ignore lint/a11y/noStaticElementInteractions: the buttons inside are interactive
        <span className="flex flex-wrap justify-end gap-1.5" onClick={onClose}>
          {COMMANDS.map((id) => (
            <CommandButton key={id} id={id} subjects={subjects} />
          ))}
          <Button data-answer="ok" variant="primary">
            Close
          </Button>
        </span>
      }
    >
      <div className="@container space-y-3">
        <Pill tone={tone} shape={shape}>
          {words}
        </Pill>
        <Facts rows={factsOf(invitation, quote)} />
      </div>
    </Dialog>
  )
}
