import type { Catalogue } from './catalogue.ts';

export const policyTexts = {
  'policy.admitted': { en: 'admitted', zh: '准入通过' },
  'policy.platform': {
    en: 'hidden: the platform is {found}, the tool wants {wanted}',
    zh: '不可见：平台为 {found}，该工具要求 {wanted}',
  },
  'policy.scope': {
    en: 'hidden: the scope is {found}, the tool wants {wanted}',
    zh: '不可见：场景为 {found}，该工具要求 {wanted}',
  },
  'policy.role': {
    en: 'hidden: the role is {found}, the tool wants at least {wanted}',
    zh: '不可见：角色为 {found}，该工具至少要求 {wanted}',
  },
  'policy.unreadable-rule': {
    en: 'hidden: the permission rule "{rule}" is not one that this version knows, so it admits nobody',
    zh: '不可见：当前版本不认识权限规则“{rule}”，因此不放行任何人',
  },
  'policy.url-too-long': {
    en: 'The URL is longer than {limit} characters, so it was not requested. Use a shorter one.',
    zh: '网址超过 {limit} 个字符，未发出请求。请换用较短的网址。',
  },
  'policy.url-unreadable': {
    en: '"{url}" is not a complete web address, so it was not requested. Write it as https://host/path, the host without blanks, nothing with backslashes or control characters.',
    zh: '“{url}”不是完整的网址，未发出请求。请写成 https://主机/路径 的形式，主机中不含空格，任何位置不含反斜杠和控制字符。',
  },
  'policy.url-scheme': {
    en: '"{url}" was not requested: only http:// and https:// addresses may be reached.',
    zh: '未请求“{url}”：只能访问 http:// 和 https:// 开头的网址。',
  },
  'policy.url-credentials': {
    en: 'The URL of {host} carries a user name or password before "@", so it was not requested. Send credentials in an Authorization header.',
    zh: '{host} 的网址在“@”之前带有用户名或密码，未发出请求。请把凭据放在 Authorization 请求头中。',
  },
  'policy.url-port': {
    en: 'Port {port} of {host} was not contacted: it belongs to a service that does not speak HTTP. Use the port of the web service.',
    zh: '未连接 {host} 的 {port} 端口：该端口属于非 HTTP 服务。请使用网页服务的端口。',
  },
  'policy.url-not-declared': {
    en: '{host} was not contacted: by its access.network label this tool may reach only {labels}. Whoever wrote the tool can add the host there.',
    zh: '未连接 {host}：该工具的 access.network 标签只允许访问 {labels}。工具作者可以在其中添加该主机。',
  },
  'policy.url-special-name': {
    en: '{host} was not contacted: names of this kind mean this machine or a private network, not the public internet. Whoever runs this installation can except it in allowHosts.',
    zh: '未连接 {host}：这类名称指向本机或内部网络，而不是公共互联网。管理员可以在 allowHosts 中将其列为例外。',
  },
  'policy.url-not-public': {
    en: '{host} was not contacted: it is not an address of the public internet. Whoever runs this installation can except it in allowHosts.',
    zh: '未连接 {host}：它不是公共互联网上的地址。管理员可以在 allowHosts 中将其列为例外。',
  },
  'policy.url-leads-inside': {
    en: '{host} was not contacted: the name leads to an address that is not on the public internet. Whoever runs this installation can except it in allowHosts.',
    zh: '未连接 {host}：该名称指向公共互联网以外的地址。管理员可以在 allowHosts 中将其列为例外。',
  },
  'policy.url-fake-ip': {
    en: '{host} was not contacted: the name leads into 198.18.0.0/15, where some proxies place every name ("fake IP"). Behind such a proxy, whoever runs this installation can set allowFakeIp to true; otherwise the host is not public.',
    zh: '未连接 {host}：该名称指向 198.18.0.0/15，部分代理会把所有名称映射到这一段（fake-IP 模式）。如果正在使用这类代理，管理员可以把 allowFakeIp 设为 true；否则说明该主机不在公共互联网上。',
  },
} as const satisfies Catalogue;
