-- Writes the positions of the glyphs and rules of a box in LuaTeX: one line for each formula, in em of 10 pt.
local out = assert(io.open("reference.txt", "w"))
local em = 10 * 65536

local function walk(list, x, y, parent, items)
  local is_vertical = parent.id == node.id("vlist")
  local n = list
  while n do
    local kind = node.type(n.id)
    if kind == "glyph" then
      local face = font.getfont(n.font)
      local it = face.characters[n.char]
      local dx, dy = n.xoffset or 0, n.yoffset or 0
      -- Words are set in the text font, which has different glyph indices.
      local is_math = string.find(face.fullname or face.name or "", "Math") ~= nil
      items[#items + 1] = string.format("%s %d %d %.5f %.5f %.4f", is_math and "G" or "T", it.index or 0,
        n.char, (x + dx) / em, (y - dy) / em, face.size / em)
      x = x + n.width
    elseif kind == "kern" or kind == "margin_kern" then
      if is_vertical then y = y + n.kern else x = x + n.kern end
    elseif kind == "glue" then
      local w = node.effective_glue(n, parent)
      if is_vertical then y = y + w else x = x + w end
    elseif kind == "rule" then
      local w = n.width == -1073741824 and parent.width or n.width
      local h = n.height == -1073741824 and parent.height or n.height
      local d = n.depth == -1073741824 and parent.depth or n.depth
      if is_vertical then
        if w > 0 and h + d > 0 then items[#items + 1] = string.format("R %.5f %.5f %.5f %.5f", x / em, y / em, w / em, (h + d) / em) end
        y = y + h + d
      else
        if w > 0 and h + d > 0 then items[#items + 1] = string.format("R %.5f %.5f %.5f %.5f", x / em, (y - h) / em, w / em, (h + d) / em) end
        x = x + w
      end
    elseif kind == "hlist" or kind == "vlist" then
      local base, left
      if is_vertical then
        base, left = y + n.height, x + n.shift
        y = y + n.height + n.depth
      else
        base, left = y + n.shift, x
        x = x + n.width
      end
      if kind == "hlist" then walk(n.head, left, base, n, items)
      else walk(n.head, left, base - n.height, n, items) end
    elseif kind == "math" then
      x = x + (n.surround or 0)
    end
    n = n.next
  end
end

function scene_write(number)
  local box = tex.box[number]
  local items = {}
  walk(box.head, 0, 0, box, items)
  out:write(table.concat(items, ";"), "\n")
end

function scene_close() out:close() end
