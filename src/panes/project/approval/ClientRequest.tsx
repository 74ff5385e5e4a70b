import { showDay } from '../../../../contract/format.ts'
import type { Subject } from '../../../commands/subject.ts'
import type { CommandId } from '../../../commands/table.ts'
import { AnswerState } from '../../../data/AnswerState.tsx'
import { moment } from '../../../data/format.ts'
import { useCall } from '../../../data/useCall.ts'
import { href } from '../../../routing/routes.ts'
import { CommandButton } from '../../../runner/CommandButton.tsx'
import { PaneLink } from '../../../workspace/PaneLink.tsx'
import { usePane } from '../../../workspace/pane.tsx'
import { ClientSteps } from '../ClientSteps.tsx'
import { Disclosure } from '../Disclosure.tsx'
import { FileRows } from '../FileRows.tsx'
import type { Project } from '../ProjectHead.tsx'
import { Bought, Changes, Earlier, Price, type Request } from '../QuoteParts.tsx'
import { useOpened } from '../useOpened.ts'

const COMMANDS: readonly CommandId[] = ['project.ask', 'docsign.add', 'project.rejectQuote', 'project.reject']

/** Says who is working on the request, and since when. */
function statusSentence({ step, since, quote }: Request): string {
  const day = moment(since, 'day and year')
  switch (step) {
    case 'requirements':
      return `Your request arrived on ${day}. We’re reviewing it.`
    case 'pricing':
      return `Pricing is under way since ${day}.`
    case 'approval':
      return 'The quote awaits your approval.'
    case 'expired':
      return `The quote expired${quote?.valid_until ? ` on ${showDay(quote.valid_until, 'day and year')}` : ''} before it was approved.`
    case 'approved':
      return 'The quote was approved.'
    case 'rejected':
      return 'The project was rejected.'
  }
}

/** Shows a client their request: progress, cost, decision and signed documents. */
export function ClientRequest({ project, subject }: { project: Project; subject: Subject }) {
  const { visible } = usePane()
  const answer = useCall('campaign.requestInfo', { id: project.id }, { fresh: true })
  const request = answer.data?.data
  useOpened(request, visible)
  if (!request)
    return (
      <div className="px-4 pt-3">
        <AnswerState answer={answer} what="The request" rows={6} />
      </div>
    )
  const signed = project.files.filter(({ kind }) => kind === 'docsign')
  const commands = COMMANDS.filter((id) => project.allowed_actions.includes(id))
  const waits = request.step === 'approval' || request.step === 'expired'
  return (
    <div className="@container px-4 pt-3 pb-6">
      <ClientSteps step={request.step} />
      <p className="mt-1.5 pb-4 text-muted">{statusSentence(request)}</p>
      {request.quote && <Price request={request} blocked={null} changed={null} />}
      <div className="flex flex-wrap gap-1.5 pb-4">
        {waits && (
          <PaneLink
            to={href('clientApproval', { id: project.id })}
            className="inline-flex h-7 items-center rounded-md border border-transparent bg-accent px-2.5 text-meta font-medium text-on-accent hover:bg-accent-hover"
          >
            Open the quote to approve it
          </PaneLink>
        )}
        {commands.map((id) => (
          <CommandButton key={id} id={id} subjects={[subject]} />
        ))}
      </div>
      <Changes request={request} />
      <Bought request={request} />
      {(signed.length > 0 || request.step === 'approved') && (
        <Disclosure title="Signed documents" anchor="signed">
          <FileRows files={signed} none="No signed documents yet." />
        </Disclosure>
      )}
      <Earlier request={request} />
    </div>
  )
}
