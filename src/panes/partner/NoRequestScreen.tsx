import { useEffect, useMemo, useState } from 'react'
import { codeOf } from '../../../contract/nounOf.ts'
import { feasibilityPath, projectPath } from '../../../contract/pages.ts'
import { ApiError } from '../../data/api.ts'
import { pageFacts } from '../../data/pageFacts.ts'
import { callAsPartner } from '../../data/partnerCalls.ts'
import { currentSession } from '../../data/partnerSession.ts'
import { lastError, noteError, sentenceOf } from './lastError.ts'
import { openPage } from './openPage.ts'
import { Notice, Page } from './Page.tsx'
import { TouchButton, touchLink } from './touchControls.tsx'
import { isRefusal } from './useRequest.ts'
import { useViewer } from './viewer.ts'

/** Explains why a link doesn't open without revealing whether a request exists. Makes no call without a link. */
export function NoRequestScreen() {
  const visit = useMemo(currentSession, [])
  const viewer = useViewer()
  const [refused] = useState(lastError)
  const token = visit?.token ?? null
  /** Null while the link is being checked. */
  const [found, setFound] = useState<{ error: ApiError | null; opens: boolean } | null>(
    refused || !token ? { error: refused, opens: false } : null,
  )
  const [result, setResult] = useState<{ tone: 'good' | 'bad'; words: string } | null>(null)
  const [busy, setBusy] = useState(false)
  useEffect(() => {
    noteError(null)
    if (found || !token) return
    let left = false
    callAsPartner('invitation.get', { id: Number(visit!.id), partner_id: Number(visit!.partner_id) }, { token })
      .then(() => left || setFound({ error: null, opens: true }))
      .catch((error: ApiError) => left || setFound({ error: isRefusal(error) ? error : null, opens: false }))
    return () => {
      left = true
    }
  }, [found, token, visit])

  async function askAgain() {
    setBusy(true)
    try {
      const { body } = await callAsPartner('invitation.requestLink', { id: Number(visit!.id) }, { token })
      setResult({ tone: 'good', words: body.message })
    } catch (error) {
      setResult({ tone: 'bad', words: error instanceof ApiError ? error.message : 'Something went wrong. Try again.' })
    } finally {
      setBusy(false)
    }
  }

  const { support_mail } = pageFacts()
  const code = visit ? codeOf('project', Number(visit.id)) : null
  return (
    <Page title="Request not found" narrow code={code ?? undefined}>
      <div className="pt-[8vh]">
        <h1 className="text-figure">{found?.opens ? 'This request is open' : 'This link doesn’t open a request'}</h1>
        <p className="mt-2 min-h-11" aria-live="polite" aria-atomic="true">
          {found && (found.opens ? 'Your link works.' : sentenceOf(found.error))}
        </p>
        <div className="mt-6 flex flex-col gap-3 sm:flex-row sm:flex-wrap">
          {found?.opens && (
            <TouchButton
              look="primary"
              className="min-h-12"
              onClick={() => openPage(feasibilityPath(visit!.id, visit!.partner_id))}
            >
              Open the request
            </TouchButton>
          )}
          {found?.error?.code === 'link_expired' && !result && (
            <TouchButton look="primary" busy={busy} className="min-h-12" onClick={() => void askAgain()}>
              Ask for a new link
            </TouchButton>
          )}
          {support_mail && (
            <a
              href={`mailto:${support_mail}?subject=${encodeURIComponent(code ? `Request ${code}` : 'A request')}`}
              className={touchLink()}
            >
              Write to {support_mail}
            </a>
          )}
          {viewer?.previews && visit && (
            <a href={projectPath(visit.id)} className={touchLink()}>
              Open the project
            </a>
          )}
        </div>
        {result && (
          <div className="mt-4">
            <Notice tone={result.tone}>{result.words}</Notice>
          </div>
        )}
      </div>
    </Page>
  )
}
