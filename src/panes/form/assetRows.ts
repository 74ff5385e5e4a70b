import { useRef, useState } from 'react'
import { ASSET_FILES } from '../../../contract/vocabulary.ts'
import { newAttempt } from '../../data/api.ts'
import type { DroppedFile } from '../../ui/FileDrop.tsx'
import type { KeptFile } from '../shared/form/drafts.ts'
import { faultOf, uploadFile } from '../shared/form/useUploads.ts'

/** A file row with its asset type and description. */
export interface AssetRow {
  key: number
  file: KeptFile | null
  asset_type: string
  description: string
}
export const blankRow = (rows: readonly AssetRow[]): AssetRow => ({
  key: Math.max(0, ...rows.map(({ key }) => key)) + 1,
  file: null,
  asset_type: rows.at(-1)?.asset_type ?? '',
  description: '',
})

type Sending = DroppedFile & { file: File; stop: AbortController; attempt: string }

/**
 * Uploads files of rows as they are added; `change` stores each finished upload in its row.
 * Several dropped files fill several rows, starting with the row they were dropped on.
 */
export function useRowUploads(read: () => readonly AssetRow[], change: (rows: readonly AssetRow[]) => void) {
  const [sending, setSending] = useState<Readonly<Record<number, Sending>>>({})
  const now = useRef(read)
  now.current = read
  const patch = (key: number, some: Partial<Sending>) =>
    setSending((all) => (all[key] ? { ...all, [key]: { ...all[key], ...some } } : all))
  const put = (key: number, some: Partial<AssetRow>) =>
    change(now.current().map((row) => (row.key === key ? { ...row, ...some } : row)))
  const forget = (key: number) => setSending(({ [key]: _, ...rest }) => rest)
  const send = async (key: number, { file, stop, attempt }: Sending) => {
    try {
      const stored = await uploadFile(file, { signal: stop.signal, attempt, onProgress: (progress) => patch(key, { progress }) })
      put(key, { file: stored })
      forget(key)
    } catch (error) {
      if (!stop.signal.aborted) patch(key, { error: error instanceof Error ? error.message : 'Couldn’t upload the file.' })
    }
  }
  const stop = (key: number) => {
    sending[key]?.stop.abort()
    forget(key)
  }
  return {
    /** Returns a row's file, whether stored, uploading or failed. */
    fileOf: ({ key, file }: AssetRow): DroppedFile | null =>
      file ? { id: `kept${file.id}`, name: file.name, bytes: file.bytes } : (sending[key] ?? null),
    add(key: number, files: readonly File[]) {
      const rows = [...now.current()]
      const places = files.map((_, at) => {
        if (at === 0) return key
        const free = rows.find((row) => !row.file && !sending[row.key] && row.key !== key)
        const row = free && at === 1 ? free : blankRow(rows)
        if (row !== free) rows.push(row)
        return row.key
      })
      change(rows)
      for (const [at, file] of files.entries()) {
        const fault = faultOf(file, ASSET_FILES)
        const upload: Sending = {
          id: `row${places[at]}`,
          name: file.name,
          bytes: file.size,
          file,
          stop: new AbortController(),
          attempt: newAttempt(),
          ...(fault ? { error: fault, lasts: true } : { progress: 0 }),
        }
        setSending((all) => ({ ...all, [places[at]!]: upload }))
        if (!fault) void send(places[at]!, upload)
      }
    },
    remove(key: number) {
      stop(key)
      put(key, { file: null })
    },
    stop,
    retry(key: number) {
      const one = sending[key]
      if (!one || one.lasts) return
      const { error: _, ...rest } = one
      const again = { ...rest, progress: 0, stop: new AbortController() }
      setSending((all) => ({ ...all, [key]: again }))
      void send(key, again)
    },
    busy: Object.values(sending).some((one) => !one.error),
    faults: Object.fromEntries(Object.entries(sending).flatMap(([key, { error }]) => (error ? [[Number(key), error]] : []))),
  }
}
