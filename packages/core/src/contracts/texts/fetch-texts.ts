import type { Catalogue } from './catalogue.ts';

export const fetchTexts = {
  'fetch.malformed': {
    en: 'The request was not sent: its {part} is not in the form that HTTP knows.',
    zh: '请求未发出：{part} 不符合 HTTP 的格式。',
  },
  'fetch.method-barred': {
    en: 'The request to {host} was not sent: the method {method} may not be used. Use GET, HEAD, POST, PUT, PATCH, DELETE or OPTIONS.',
    zh: '未向 {host} 发出请求：不能使用 {method} 方法。请使用 GET、HEAD、POST、PUT、PATCH、DELETE 或 OPTIONS。',
  },
  'fetch.header-barred': {
    en: 'The request to {host} was not sent: the header "{header}" is set by the runtime alone. Leave it out.',
    zh: '未向 {host} 发出请求：请求头“{header}”只能由运行时设置。请去掉它。',
  },
  'fetch.headers-too-large': {
    en: 'The request to {host} was not sent: its headers are larger than {limit} bytes together. Send less in them.',
    zh: '未向 {host} 发出请求：请求头总计超过 {limit} 字节。请减少其内容。',
  },
  'fetch.body-too-large': {
    en: 'The request to {host} was not sent: its body is larger than {limit} bytes. Send less, or in several requests.',
    zh: '未向 {host} 发出请求：请求正文超过 {limit} 字节。请减少内容或分多次发送。',
  },
  'fetch.answer-too-large': {
    en: 'The answer of {host} is larger than {limit} bytes after decompression and was not read to its end. Ask for a smaller part of it.',
    zh: '{host} 的响应解压后超过 {limit} 字节，未读完。请只请求其中较小的一部分。',
  },
  'fetch.timeout': {
    en: '{host} did not finish its answer within {limitMs} ms. Trying later may help.',
    zh: '{host} 未在 {limitMs} 毫秒内完成响应。稍后重试可能有效。',
  },
  'fetch.aborted': {
    en: 'The request to {host} was stopped because the call that made it has ended or was cancelled.',
    zh: '发往 {host} 的请求已停止：发起它的调用已结束或被取消。',
  },
  'fetch.busy': {
    en: 'The request to {host} was not sent: more than {limit} requests of this call are waiting already. Wait for earlier ones first.',
    zh: '未向 {host} 发出请求：该调用已有超过 {limit} 个请求在等待。请先等待之前的请求完成。',
  },
  'fetch.no-such-host': {
    en: 'No address is known for the name {host}. Check its spelling; if it is right, trying later may help.',
    zh: '找不到名称 {host} 对应的地址。请检查拼写；若无误，稍后重试可能有效。',
  },
  'fetch.unreachable': {
    en: '{host} could not be reached, or did not speak proper HTTP ({code}). Trying later may help.',
    zh: '无法连接 {host}，或其响应不是正常的 HTTP（{code}）。稍后重试可能有效。',
  },
  'fetch.undecodable': {
    en: 'The answer of {host} says it is compressed as "{coding}" but cannot be decompressed.',
    zh: '{host} 的响应声明以“{coding}”压缩，但无法解压。',
  },
  'fetch.redirect-limit': {
    en: '{host} sends from one place to the next more than {limit} times, so the request was given up.',
    zh: '{host} 的重定向超过 {limit} 次，已放弃请求。',
  },
  'fetch.redirect-unreadable': {
    en: '{host} sends on to a place that is not a web address.',
    zh: '{host} 重定向到的位置不是有效的网址。',
  },
  'fetch.redirect-unwanted': {
    en: '{host} sends on to another place, and the code that asked does not want that (redirect: "error").',
    zh: '{host} 要求重定向，而发起请求的代码不允许重定向（redirect: "error"）。',
  },
  'fetch.server-fault': {
    en: '{host} answered with {status}: it cannot serve this now.',
    zh: '{host} 返回状态码 {status}：目前无法提供服务。',
  },
  'fetch.integrity': {
    en: 'fetch does not check "integrity" here. Compare a digest of the body yourself.',
    zh: '此处的 fetch 不校验 integrity。请自行比较正文的摘要。',
  },
} as const satisfies Catalogue;
