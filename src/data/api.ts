import type { CallId, Input, Output, ReadId, WriteId } from '../../contract/calls.ts'

export interface WriteOptions {
  signal?: AbortSignal
  /** The person's one intent behind this write (`newAttempt`): however often it is sent with the same input, it is done once. */
  attempt?: string | undefined
  /** Receives the id of the change set that undoes this write; by default the undo stack does. */
  undoable?: ((id: number) => void) | undefined
}

/** A name for one intent of a person: what is sent again under it, by a second click or after a lost answer, is not done again. */
export const newAttempt = (): string => [...crypto.getRandomValues(new Uint32Array(4))].map((part) => part.toString(36)).join('-')

/** An api whose writes all belong to one attempt. */
export const within = (api: Api, attempt: string, undoable: WriteOptions['undoable']): Api => ({
  ...api,
  write: (id, input, options) => api.write(id, input, { ...options, attempt, undoable }),
  upload: (id, form, options) => api.upload(id, form, { ...options, attempt, undoable }),
})

let naming: string | undefined
/** Begins a write under a name for the undo stack: "“Ana” became “Anna”". */
export function underName<T>(name: string, begin: () => T): T {
  naming = name
  try {
    return begin()
  } finally {
    naming = undefined
  }
}
/** What the write that begins now is called. */
export const nameOfWrite = (): string | undefined => naming

/** The typed client: the only place that fetches. Throws ApiError. */
export interface Api {
  read<Id extends ReadId>(id: Id, input: Input<Id>, signal?: AbortSignal): Promise<Output<Id>>
  write<Id extends WriteId>(id: Id, input: Input<Id>, options?: WriteOptions): Promise<Output<Id>>
  /** Sends files as multipart with upload progress (0…1). */
  upload<Id extends WriteId>(
    id: Id,
    form: FormData,
    options?: WriteOptions & { onProgress?: (share: number) => void },
  ): Promise<Output<Id>>
}

/** What the server refused, or what broke on the way (status 0). */
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
