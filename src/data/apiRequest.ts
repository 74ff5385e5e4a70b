/** A request as somebody composed it on the page of the API. */
export interface ApiRequest {
  method: string
  /** The address below the server's own. */
  path: string
  headers: Readonly<Record<string, string>>
  body: string | FormData | null
}

/** A response, whatever its status. */
export interface ApiResponse {
  status: number
  statusText: string
  headers: readonly (readonly [name: string, value: string])[]
  /** Milliseconds until the body had arrived. */
  duration: number
  /** The media type without its parameters. */
  media: string
  body: Blob
}

/**
 * Sends a request without the workspace's cookie, so that only the headers say who is calling.
 * Throws TypeError without a connection.
 */
export async function sendApiRequest({ method, path, headers, body }: ApiRequest, signal: AbortSignal): Promise<ApiResponse> {
  const start = performance.now()
  const response = await fetch(path, { method, headers, body, signal, credentials: 'omit', cache: 'no-store' })
  const content = await response.blob()
  return {
    status: response.status,
    statusText: response.statusText,
    headers: [...response.headers],
    duration: Math.round(performance.now() - start),
    media: (response.headers.get('content-type') ?? '').split(';')[0]!.trim(),
    body: content,
  }
}
