"""Writes a Llama model of about 470 KB with two layers, random weights, and a token for each byte."""

import sys

import numpy as np
from gguf import GGUFWriter, TokenType

LAYERS, WIDTH, HEADS, HIDDEN, CONTEXT = 2, 64, 4, 128, 2048
TEMPLATE = "{% for message in messages %}{{ message['role'] }}: {{ message['content'] }}\n{% endfor %}"

special = [("<unk>", TokenType.UNKNOWN), ("<s>", TokenType.CONTROL), ("</s>", TokenType.CONTROL)]
tokens = special + [(f"<0x{byte:02X}>", TokenType.BYTE) for byte in range(256)]
random = np.random.default_rng(1)

writer = GGUFWriter(sys.argv[1], "llama")
writer.add_name("tiny-random")
writer.add_context_length(CONTEXT)
writer.add_embedding_length(WIDTH)
writer.add_block_count(LAYERS)
writer.add_feed_forward_length(HIDDEN)
writer.add_head_count(HEADS)
writer.add_head_count_kv(HEADS)
writer.add_rope_dimension_count(WIDTH // HEADS)
writer.add_layer_norm_rms_eps(1e-5)
writer.add_vocab_size(len(tokens))
writer.add_tokenizer_model("llama")
writer.add_token_list([text for text, _ in tokens])
writer.add_token_scores([0.0] * len(tokens))
writer.add_token_types([int(kind) for _, kind in tokens])
writer.add_unk_token_id(0)
writer.add_bos_token_id(1)
writer.add_eos_token_id(2)
writer.add_chat_template(TEMPLATE)


def add(name, *shape):
    writer.add_tensor(f"{name}.weight", random.standard_normal(shape, dtype=np.float32))


def add_norm(name):
    writer.add_tensor(f"{name}.weight", np.ones(WIDTH, dtype=np.float32))


add("token_embd", len(tokens), WIDTH)
for layer in range(LAYERS):
    for part in ("attn_q", "attn_k", "attn_v", "attn_output"):
        add(f"blk.{layer}.{part}", WIDTH, WIDTH)
    add(f"blk.{layer}.ffn_gate", HIDDEN, WIDTH)
    add(f"blk.{layer}.ffn_up", HIDDEN, WIDTH)
    add(f"blk.{layer}.ffn_down", WIDTH, HIDDEN)
    for part in ("attn_norm", "ffn_norm"):
        add_norm(f"blk.{layer}.{part}")
add_norm("output_norm")
add("output", len(tokens), WIDTH)

writer.write_header_to_file()
writer.write_kv_data_to_file()
writer.write_tensors_to_file()
writer.close()
