import { useEffect, useState } from 'react'
import { withCodes } from '../../contract/questionCode.ts'
import type { Subject } from '../commands/subject.ts'
import { api } from '../data/apiClient.ts'
import { href } from '../routing/routes.ts'

/** A question of the open project, which the palette finds by its code and text. */
export interface OpenQuestion {
  id: number
  /** "Q7". */
  code: string
  title: string
  /** The path of its chart in User Responses. */
  path: string
}

const NONE: readonly OpenQuestion[] = []

/** Reads the active project's questions once something is typed; none for other records, or while they load. */
export function useOpenQuestions(project: Subject | null, typed: boolean): readonly OpenQuestion[] {
  const [read, setRead] = useState<{ of: string; questions: readonly OpenQuestion[] }>({ of: '', questions: NONE })
  const kind = project?.kind
  const id = (kind === 'project' || kind === 'campaign') && project ? project.id : null
  const of = `${kind} ${id}`
  const wanted = typed && id !== null
  useEffect(() => {
    if (!wanted || read.of === of) return
    let gone = false
    api.read('runtime.questionsV1', { id }).then(
      ({ data }) => {
        if (!gone) setRead({ of, questions: withCodes(data).map((head) => ({ ...placeOf(kind!, id, head), code: head.code })) })
      },
      () => {
        // Without its questions the palette finds everything else.
        if (!gone) setRead({ of, questions: NONE })
      },
    )
    return () => {
      gone = true
    }
  }, [wanted, of, read.of, kind, id])
  return read.of === of ? read.questions : NONE
}

function placeOf(kind: string, id: number, head: { question_id: number; title: string; question_type: string }) {
  const query = { q: head.question_id, ...(head.question_type === 'survey' ? {} : { profile: '1' }) }
  const path =
    kind === 'campaign'
      ? href('surveyProject', { id }, { tab: 'userResponses', query })
      : href('project', { id }, { tab: 'userResponses', query })
  return { id: head.question_id, title: head.title, path }
}
