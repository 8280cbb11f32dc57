// biome-ignore-all lint/suspicious/noTemplateCurlyInString: references of the configuration are written so.
import type { Catalogue } from './catalogue.ts';

export const configTexts = {
  'config.unknown-key': {
    en: '{file} has the key {key}, which does not exist.',
    zh: '{file} 中的键 {key} 不存在。',
  },
  'config.unknown-key-hint': {
    en: "Keys are listed by `baigong config show` and in docs/configuration.md. What a plugin reads belongs below plugins.<name>, what the project's own tools read below config.",
    zh: '可用的键见 `baigong config show` 与 docs/zh/configuration.md。插件读取的配置请写在 plugins.<名称> 下，项目自身工具读取的请写在 config 下。',
  },
  'config.did-you-mean': { en: 'Did you mean {names}?', zh: '是否想写 {names}？' },
  'config.invalid-value': {
    en: '{file}: {key} must be {expected}, but is {found}.',
    zh: '{file}：{key} 应为 {expected}，实际为 {found}。',
  },
  'config.invalid-value-hint': {
    en: 'Correct the value, or delete the key to use its default.',
    zh: '请更正该值，或删除该键以使用默认值。',
  },
  'config.invalid-name-hint': {
    en: 'Rename the key {name}; its name must match {pattern}.',
    zh: '请重命名键 {name}；其名称必须符合 {pattern}。',
  },
  'config.not-json': {
    en: '{file}: {key} holds {found}, which configuration cannot hold.',
    zh: '{file}：{key} 的值为 {found}，不能用作配置。',
  },
  'config.not-json-hint': {
    en: 'Use texts, numbers, true, false, null, lists and plain objects; numbers of more than 15 digits as texts.',
    zh: '请使用字符串、数字、true、false、null、数组和普通对象；超过 15 位的数字请写成字符串。',
  },
  'config.too-large': {
    en: '{file} holds more than {limit} values.',
    zh: '{file} 中的值超过 {limit} 个。',
  },
  'config.too-large-hint': {
    en: 'Move large data into a file of its own, which a tool reads; in YAML, use fewer aliases.',
    zh: '请把大块数据移到单独的文件中，由工具读取；在 YAML 中请少用别名（alias）。',
  },
  'config.syntax-error': { en: '{file} cannot be read: {reason}', zh: '{file} 无法解析：{reason}' },
  'config.syntax-error-hint': {
    en: 'Correct the file at that place.',
    zh: '请更正文件中该处的写法。',
  },
  'config.not-valid-json': { en: '{file} is not valid JSON.', zh: '{file} 不是有效的 JSON。' },
  'config.duplicate-key': {
    en: '{file} says the key {key} twice.',
    zh: '{file} 重复写了键 {key}。',
  },
  'config.duplicate-key-hint': {
    en: 'Delete one of the two, or put their contents together.',
    zh: '请删除其中一个，或将两处内容合并。',
  },
  'config.several-files': {
    en: 'There are several configuration files ({files}), so it is unclear which one counts.',
    zh: '存在多个配置文件（{files}），无法确定以哪个为准。',
  },
  'config.several-files-hint': {
    en: 'Keep one and delete or rename the others. Until then {file} is checked.',
    zh: '请只保留一个，删除或重命名其余文件。在此之前检查的是 {file}。',
  },
  'config.unreadable-file': { en: '{file} cannot be read: {reason}.', zh: '无法读取 {file}：{reason}。' },
  'config.unreadable-file-hint': {
    en: 'It must be a regular file of at most 1 MiB that this user may read.',
    zh: '它必须是当前用户可读、不超过 1 MiB 的普通文件。',
  },
  'config.no-default-export': {
    en: '{file} exports no configuration object as default; found was {found}.',
    zh: '{file} 的默认导出不是配置对象，实际为 {found}。',
  },
  'config.no-default-export-hint': {
    en: 'Write: export default defineConfig({ … });',
    zh: '请写成：export default defineConfig({ … });',
  },
  'config.code-hint': {
    en: 'Correct what runs when the configuration file is loaded; await works inside functions only.',
    zh: '请修正加载配置文件时运行的代码；await 只能在函数内使用。',
  },
  'config.missing-variable': {
    en: '{file}: {key} refers to the environment variable {variable}, which is not set.',
    zh: '{file}：{key} 引用了环境变量 {variable}，但它没有设置。',
  },
  'config.missing-variable-hint': {
    en: 'Set {variable} in the environment or in the .env file of the project, or say what counts without it: ${{variable}:-default}.',
    zh: '请在环境中或项目的 .env 文件中设置 {variable}，或写明未设置时的默认值：${{variable}:-默认值}。',
  },
  'config.missing-file': {
    en: '{file}: {key} refers to the file {path}, which cannot be read: {reason}.',
    zh: '{file}：{key} 引用了文件 {path}，但无法读取：{reason}。',
  },
  'config.missing-file-hint': {
    en: 'Put the value into {path}, a regular file of at most 1 MiB; the path counts from the folder of {file}.',
    zh: '请把该值写入 {path}（不超过 1 MiB 的普通文件）；路径从 {file} 所在的文件夹算起。',
  },
  'config.invalid-reference': {
    en: '{file}: {key} holds a dollar sign and an opening brace that begin no reference.',
    zh: '{file}：{key} 中的美元符号加左花括号不构成有效的引用。',
  },
  'config.invalid-reference-hint': {
    en: 'Write ${NAME} or ${NAME:-default} to refer to an environment variable, and $${ for the characters themselves.',
    zh: '引用环境变量请写 ${NAME} 或 ${NAME:-默认值}；需要这两个字符本身时请写 $${。',
  },
  'config.unknown-variable': {
    en: 'The environment variable {variable} sets no key of the configuration, so it has no effect.',
    zh: '环境变量 {variable} 不对应任何配置键，因此不起作用。',
  },
  'config.unknown-variable-hint': {
    en: 'Correct its name or unset it; docs/configuration.md lists the variable of each key.',
    zh: '请更正其名称或取消设置；各键对应的变量见 docs/zh/configuration.md。',
  },
  'config.no-effect-yet': {
    en: '{file}: {key} is accepted, but has no effect in this version.',
    zh: '{file}：{key} 可以写，但在本版本中不起作用。',
  },
  'config.no-effect-yet-hint': {
    en: 'Nothing needs to be done; do not rely on the key.',
    zh: '无需处理；请不要依赖该键。',
  },
  'config.unknown-provider': {
    en: 'The configuration has settings for the model provider {name}, which does not exist.',
    zh: '配置中设置了模型服务商 {name}，但它不存在。',
  },
  'config.unknown-provider-hint': {
    en: 'Known providers: {names}. Any other server that speaks the API of OpenAI is openai-compatible.',
    zh: '可用的服务商：{names}。其他兼容 OpenAI 接口的服务请使用 openai-compatible。',
  },
  'config.provider-conflict': {
    en: 'The model providers {first} and {second} share the variable {variable}, but {key} says something else for each.',
    zh: '模型服务商 {first} 与 {second} 共用变量 {variable}，但二者的 {key} 不一致。',
  },
  'config.provider-conflict-hint': {
    en: 'Set {key} for one of the two only.',
    zh: '请只为其中一个设置 {key}。',
  },
} as const satisfies Catalogue;
