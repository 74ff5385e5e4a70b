import type { CallId, Input, Output, ReadId, WriteId } from '../../contract/calls.ts'

export interface WriteOptions {
  signal?: AbortSignal
  /** Identifies the user's intent (`newAttempt`): resent with the same input, the write happens only once. */
  attempt?: string | undefined
  /** Receives the id of the change set that undoes this write; goes to the undo stack by default. */
  undoable?: ((id: number) => void) | undefined
}

/** Creates a name for one intent of the user, so that a second click or a retry doesn't repeat its writes. */
export const newAttempt = (): string => [...crypto.getRandomValues(new Uint32Array(4))].map((part) => part.toString(36)).join('-')

/** Returns an API client whose writes all belong to one attempt. */
export const within = (api: Api, attempt: string, undoable: WriteOptions['undoable']): Api => ({
  ...api,
  write: (id, input, options) => api.write(id, input, { ...options, attempt, undoable }),
  upload: (id, form, options) => api.upload(id, form, { ...options, attempt, undoable }),
})

let naming: string | undefined
/** Starts a write that the undo stack shows by name: "“Ana” became “Anna”". */
export function underName<T>(name: string, begin: () => T): T {
  naming = name
  try {
    return begin()
  } finally {
    naming = undefined
  }
}
/** Returns the name of the write that is being started. */
export const nameOfWrite = (): string | undefined => naming

/** The typed client, and the only place that fetches. Throws ApiError. */
export interface Api {
  read<Id extends ReadId>(id: Id, input: Input<Id>, signal?: AbortSignal): Promise<Output<Id>>
  write<Id extends WriteId>(id: Id, input: Input<Id>, options?: WriteOptions): Promise<Output<Id>>
  /** Sends a write with `dry=1`: returns, or refuses with, what it would; nothing changes. */
  dryRun<Id extends WriteId>(id: Id, input: Input<Id>, signal?: AbortSignal): Promise<Output<Id>>
  /** Sends files as multipart, with upload progress (0…1). */
  upload<Id extends WriteId>(
    id: Id,
    form: FormData,
    options?: WriteOptions & { onProgress?: (share: number) => void },
  ): Promise<Output<Id>>
}

/** An error response of the server, or a failed connection (status 0). */
export class ApiError extends Error {
  readonly status: number
  readonly code: string
  readonly fields: Readonly<Record<string, string>>
  readonly requestId: string | null
  readonly more: Readonly<Record<string, unknown>>
  readonly call: CallId | null
  constructor(
    status: number,
    code: string,
    message: string,
    about: {
      fields?: Record<string, string>
      requestId?: string | null
      more?: Record<string, unknown>
      call?: CallId | null
    } = {},
  ) {
    super(message)
    this.status = status
    this.code = code
    this.fields = about.fields ?? {}
    this.requestId = about.requestId ?? null
    this.more = about.more ?? {}
    this.call = about.call ?? null
  }
}
