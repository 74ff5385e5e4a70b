import { useCallback, useRef, useState } from 'react'
import { MESSAGES } from '../../../../contract/messages.ts'
import { type ASSET_TYPES, UPLOAD_LIMIT, UPLOAD_TYPES, UPLOADS } from '../../../../contract/vocabulary.ts'
import { newAttempt } from '../../../data/api.ts'
import { api } from '../../../data/apiClient.ts'
import type { DroppedFile } from '../../../ui/FileDrop.tsx'
import type { KeptFile } from './drafts.ts'

/** Images, audio and video are uploaded as media, everything else as documents (projects-area 5). */
const MEDIA: readonly string[] = UPLOADS.media
const ALL: readonly string[] = UPLOAD_TYPES
/** File types of location lists; files uploaded through that drop zone are stored as such. */
export const LOCATION_LISTS: readonly string[] = ['csv']
/** Returns the `accept` attribute of a file input. */
export const acceptOf = (types: readonly string[] = ALL): string => types.map((extension) => `.${extension}`).join(',')
const extensionOf = (name: string) => /\.([A-Za-z0-9]{1,5})$/.exec(name)?.[1]?.toLowerCase() ?? ''

/** Validates a file; null if it is fine. `all` is every type the form takes, named for a file that fits no zone. */
export function faultOf(file: { name: string; size: number }, types: readonly string[], all = types): string | null {
  const extension = extensionOf(file.name)
  if (!types.includes(extension)) return MESSAGES.fileType((all.includes(extension) ? types : all).join(', '))
  return file.size < UPLOAD_LIMIT ? null : MESSAGES.fileTooLarge(UPLOAD_LIMIT / 1024 / 1024)
}

/** Uploads a file that isn't attached to a record yet; throws the error. */
export async function uploadFile(
  file: File,
  how: { signal: AbortSignal; attempt: string; onProgress(share: number): void },
  asset_type?: (typeof ASSET_TYPES)[number],
): Promise<KeptFile> {
  const media = MEDIA.includes(extensionOf(file.name))
  const form = new FormData()
  // Fields must precede the file, because the server parses the form as a stream.
  form.append('asset_type', asset_type ?? (media ? 'Creative Assets' : 'Survey Document'))
  form.append('file', file, file.name)
  const answer = await api.upload(media ? 'file.upload' : 'file.uploadDocument', form, how)
  const stored = answer.data[0]
  if (!stored) throw new Error('The server didn’t save the file. Try again.')
  return { id: stored.id, name: stored.original_name, bytes: stored.size }
}

/** `attempt` identifies the file, so that a retry stores it once; `types` are its drop zone's. */
type Sending = DroppedFile & { file: File; stop: AbortController; attempt: string; types: readonly string[] }

/** Uploads a form's files one at a time as they are added, with progress; finished ones go into the form. */
export function useUploads(kept: readonly KeptFile[], onChange: (change: (kept: readonly KeptFile[]) => KeptFile[]) => void) {
  const [sending, setSending] = useState<readonly Sending[]>([])
  const count = useRef(0)
  const patch = useCallback(
    (id: string, change: Partial<Sending>) =>
      setSending((all) => all.map((one) => (one.id === id ? { ...one, ...change } : one))),
    [],
  )
  const send = useCallback(
    async ({ id, file, stop, attempt, types }: Sending) => {
      try {
        const how = { signal: stop.signal, attempt, onProgress: (progress: number) => patch(id, { progress }) }
        const stored = await uploadFile(file, how, types === LOCATION_LISTS ? 'Location List' : undefined)
        setSending((all) => all.filter((one) => one.id !== id))
        onChange((files) => [...files, stored])
      } catch (error) {
        if (!stop.signal.aborted) patch(id, { error: error instanceof Error ? error.message : 'Couldn’t upload the file.' })
      }
    },
    [onChange, patch],
  )
  const add = useCallback(
    (files: File[], types: readonly string[] = ALL, all: readonly string[] = ALL) => {
      const started = files.map((file): Sending => {
        const fault = faultOf(file, types, all)
        return {
          id: `new${++count.current}`,
          name: file.name,
          bytes: file.size,
          file,
          stop: new AbortController(),
          attempt: newAttempt(),
          types,
          ...(fault ? { error: fault, lasts: true } : { progress: 0 }),
        }
      })
      setSending((all) => [...all, ...started])
      for (const one of started) if (!one.error) void send(one)
    },
    [send],
  )
  const remove = useCallback(
    (id: string) => {
      setSending((all) => {
        all.find((one) => one.id === id)?.stop.abort()
        return all.filter((one) => one.id !== id)
      })
      onChange((files) => files.filter((file) => `kept${file.id}` !== id))
    },
    [onChange],
  )
  const retry = useCallback(
    (id: string) => {
      const one = sending.find((each) => each.id === id)
      if (!one || one.lasts) return
      const { error: _, ...rest } = one
      const again = { ...rest, progress: 0, stop: new AbortController() }
      setSending((all) => all.map((each) => (each.id === id ? again : each)))
      void send(again)
    },
    [sending, send],
  )
  const files: DroppedFile[] = [...kept.map((file) => ({ id: `kept${file.id}`, name: file.name, bytes: file.bytes })), ...sending]
  return {
    files,
    /** Returns the files of a drop zone: those uploaded through it, and stored ones of its types. */
    filesOf: (types: readonly string[]): DroppedFile[] => [
      ...files.filter(({ id, name }) => id.startsWith('kept') && types.includes(extensionOf(name))),
      ...sending.filter((one) => one.types === types),
    ],
    add,
    remove,
    retry,
    /** True while an upload is running. */
    busy: sending.some((one) => !one.error),
    /** The first file error; it blocks sending (projects-area 5). */
    faulty: sending.find((one) => one.error)?.error ?? null,
  }
}
