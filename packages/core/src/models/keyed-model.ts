import type {
  LanguageModelV4,
  LanguageModelV4CallOptions,
  LanguageModelV4GenerateResult,
  LanguageModelV4StreamResult,
} from '@ai-sdk/provider';

/** Shorter "keys" are what local services make people write ("ollama", "none"): no secrets, but words of texts. */
const SHORTEST_SECRET = 8;

/** A provider's model together with the secret that it sends, so that texts about it can be freed of the secret. */
export class KeyedModel implements LanguageModelV4 {
  readonly specificationVersion = 'v4';
  readonly #model: LanguageModelV4;
  readonly #secrets: readonly string[];

  constructor(model: LanguageModelV4, key: string | undefined) {
    this.#model = model;
    this.#secrets = key === undefined || key.length < SHORTEST_SECRET ? [] : [key, encodeURIComponent(key)];
  }

  get provider(): string {
    return this.#model.provider;
  }

  get modelId(): string {
    return this.#model.modelId;
  }

  get supportedUrls(): LanguageModelV4['supportedUrls'] {
    return this.#model.supportedUrls;
  }

  doGenerate(options: LanguageModelV4CallOptions): PromiseLike<LanguageModelV4GenerateResult> {
    return this.#model.doGenerate(options);
  }

  doStream(options: LanguageModelV4CallOptions): PromiseLike<LanguageModelV4StreamResult> {
    return this.#model.doStream(options);
  }

  /** The text without the secret, wherever a service or a package repeated it. */
  hideKey(text: string): string {
    return this.#secrets.reduce((hidden, secret) => hidden.replaceAll(secret, '[key]'), text);
  }
}
