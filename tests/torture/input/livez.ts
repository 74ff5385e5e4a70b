// A thread that polls a server's /livez during an attack, as a proxy would, and reports when it is stopped.

import { Agent, get } from 'node:http'
import { setTimeout as delay } from 'node:timers/promises'
import { parentPort, workerData } from 'node:worker_threads'

const { url, every } = workerData as { url: string; every: number }
const agent = new Agent({ keepAlive: true, maxSockets: 1 })
let worst = 0
let asked = 0
let failed = 0
let going = true

const ask = () =>
  new Promise<void>((resolve) => {
    const began = performance.now()
    const done = (good: boolean) => {
      asked++
      if (!good) failed++
      worst = Math.max(worst, performance.now() - began)
      resolve()
    }
    const request = get(`${url}/livez`, { agent }, (answer) => {
      answer.resume()
      answer.on('end', () => done(answer.statusCode === 200))
    })
    request.on('error', () => done(false))
  })

parentPort!.on('message', () => {
  going = false
})
await ask()
worst = 0
asked = 0
parentPort!.postMessage('there')
while (going) {
  await ask()
  await delay(every)
}
agent.destroy()
parentPort!.postMessage({ worst: Math.round(worst), asked, failed })
parentPort!.close()
