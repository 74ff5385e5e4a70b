import { useAtomValue } from 'jotai'
import { useEffect } from 'react'
import { codeOf } from '../../../contract/nounOf.ts'
import type { ApiError } from '../../data/api.ts'
import { underName } from '../../data/api.ts'
import { api } from '../../data/apiClient.ts'
import { may } from '../../data/permissions.ts'
import { configAtom, currentMe, type Me } from '../../data/session.ts'
import { useCall } from '../../data/useCall.ts'
import { href } from '../../routing/routes.ts'
import { workspace } from '../../workspace/currentWorkspace.ts'
import { usePane } from '../../workspace/pane.tsx'
import { copiedAnswers, emptyOlder } from './olderForm.ts'
import { type Draft, type Field, olderDrafts } from './requestDraft.ts'
import { olderRules } from './requestRules.ts'
import type { RequestFormState, RequestKind } from './useRequestForm.ts'

/** Sends an older request as multipart form data, with its uploaded files. */
async function sendCampaign(input: Record<string, unknown>, attempt: string, { company }: Draft) {
  // Saves the requester's company, which the form asks for only if it isn't known.
  if (company.trim()) await api.write('user.setCompany', { company: company.trim() })
  const form = new FormData()
  form.append('campaign', JSON.stringify(input))
  const { data, message } = await underName(`Request “${String(input.campaign_name)}”`, () =>
    api.upload('campaign.create', form, { attempt }),
  )
  return { id: data.id, message }
}

/** The options both older forms share, including their draft. */
export const olderKind = (fields: readonly Field[], more: Partial<RequestKind> = {}): RequestKind => ({
  drafts: olderDrafts,
  rules: olderRules,
  empty: emptyOlder,
  fields,
  ends: 'older',
  send: sendCampaign,
  leads: (id) => href('requested', {}, { query: { id: String(id) } }),
  body: 'We’ll review your request and ask channel partners for prices. You can still undo it until the emails are sent.',
  failureDialog: true,
  ...more,
})

/** True for a client user without a client, who can't make requests. */
export const hasNoClient = (): boolean => {
  const me = currentMe()
  return !may('client.dropdown') && me.clients.length === 0
}

/** True for a client user whose company is unknown; an administrator acting as them can't set it. */
export const asksCompany = (me: Me): boolean => !may('client.dropdown') && !me.company && !me.acting

/** Tells a user without a client whom to contact. */
export function NoClient() {
  const { support_mail, product } = useAtomValue(configAtom)
  const support = support_mail || `${product} support`
  return (
    <p className="max-w-prose px-4 py-6">
      Ask{' '}
      {support_mail ? (
        <a
          href={`mailto:${support_mail}?subject=${encodeURIComponent('Please add me to a client')}`}
          className="text-accent-ink underline underline-offset-2"
        >
          {support}
        </a>
      ) : (
        support
      )}{' '}
      to add you to a client.
    </p>
  )
}

const idIn = (text: string | undefined): number | null => (/^[1-9]\d{0,14}$/.test(text ?? '') ? Number(text) : null)

/** Prefills what a link names, each once: client, parent, and answers copied from an earlier request. */
export function useLinkedAnswers({ draft, clients, fill }: Pick<RequestFormState, 'draft' | 'clients' | 'fill'>): void {
  const { query, setQuery } = usePane()
  const client = clients.find(({ value }) => value === query.client)?.value
  const parent = idIn(query.parent)
  const from = idIn(query.from)
  // biome-ignore lint/correctness/useExhaustiveDependencies: a link is read once, so later typing isn't replaced
  useEffect(() => {
    // An administrator's clients come from a separate call.
    if ((query.client && !clients.length) || (!client && !parent)) return
    fill({
      ...(client && client !== draft.client_id ? { client_id: client, parent_id: '' } : {}),
      ...(parent ? { parent_id: String(parent) } : {}),
    })
    setQuery({ client: null, parent: null })
  }, [client, parent, clients.length])
  const earlier = useCall('campaign.requestInfo', from ? { id: from } : null, { fresh: true })
  const read = earlier.data?.data
  const failed: ApiError | undefined = earlier.error
  // biome-ignore lint/correctness/useExhaustiveDependencies: copied once, when the response arrives
  useEffect(() => {
    if (!from || !(failed || read?.id === from)) return
    if (failed) workspace.notice(`The earlier request couldn’t be read: ${failed.message}`, 'bad')
    else {
      fill(copiedAnswers(read!))
      workspace.notice(`Audience, markets and goal are those of “${read!.name}” (${codeOf('project', from)}).`)
    }
    setQuery({ from: null })
  }, [from, read, failed])
}
